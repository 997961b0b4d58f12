import { ESignTrigger } from '../../nodes/ESign/ESignTrigger.node';
import { N8n } from '../../harness/n8nCore/n8n';

describe('The trigger', () => {
	it('has one version, and not 1 exactly, for which n8n takes more time with every delivery', () => {
		expect(new ESignTrigger().description.version).toBe(1.1);
	});
});

describe('The subtitle of the trigger', () => {
	const { subtitle = '', properties } = new ESignTrigger().description;
	const n8n = new N8n({ trigger: new ESignTrigger() }, { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_x' });

	/** As n8n evaluates it on the canvas. */
	const subtitleFor = (events: string[]) => {
		const workflow = n8n.workflow([{ name: 'eSign Trigger', type: 'trigger', parameters: { events } }]);
		const node = workflow.getNode('eSign Trigger');
		return node && workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	};

	it('names up to two events as the form does', () => {
		expect(subtitleFor(['document.completed'])).toBe('Document Completed');
		expect(subtitleFor(['recipient.viewed', 'document.declined'])).toBe('Recipient Viewed, Document Declined');
		expect(subtitleFor([])).toBe('');
	});

	it('counts more than two', () => {
		const all = properties
			.find(({ name }) => name === 'events')
			?.options?.map((option) => 'value' in option && option.value);
		expect(subtitleFor(all as string[])).toBe('7 events');
	});
});
