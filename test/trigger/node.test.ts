import { ESign } from '../../nodes/ESign/ESign.node';
import { ESignTrigger } from '../../nodes/ESign/ESignTrigger.node';
import { EVENTS } from '../../nodes/ESign/service/events';
import { thisProcess } from '../../nodes/ESign/trigger/triggerState';
import { payloadOf } from './support/deliveries';
import { N8nInstance, TRIGGER_TYPE, triggerContext } from './support/n8nInstance';

const instance = new N8nInstance({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_unused' });
const { n8n } = instance;

const workflowFor = (events: string[]) =>
	n8n.workflow([
		{ id: 'node-1', name: 'eSign Trigger', type: TRIGGER_TYPE, parameters: { events } },
	]);

it.each(['webhook', 'manual'] as const)(
	'an event that was received is the output of the trigger in a %s execution',
	async (mode) => {
		const payload = payloadOf('document.sent');
		const { items, error } = await instance.outputOf(
			instance.add({ events: ['document.sent'] }),
			{ json: payload },
			mode,
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([payload]);
	},
);

describe('n8n', () => {
	it('counts the trigger among the nodes that it starts again itself, as 2.41 needs to check it at every start', () => {
		expect(workflowFor([]).getTriggerNodes()).toHaveLength(1);
	});

	it.each([new ESign(), new ESignTrigger()])(
		'gives $description.name a version that is not exactly 1, which n8n handles worse',
		({ description }) => expect(description.version).toBe(1.1),
	);

	it('ends what the trigger does in the background when it closes it', async () => {
		const workflow = workflowFor([]);
		const hook = n8n.hookContext(workflow, 'eSign Trigger', {
			url: 'http://127.0.0.1:5678',
			mode: 'trigger',
		});
		const context = triggerContext(workflow, hook, () => undefined);
		const { activation } = thisProcess.stateOf(context);
		activation.isOver = true;
		const { closeFunction } = await new ESignTrigger().trigger.call(context);
		await closeFunction?.();
		// The next activation waits for its own hooks.
		expect(activation.isOver).toBe(false);
	});
});

describe('The subtitle of the trigger', () => {
	it.each([
		[['document.completed'], 'Document Completed'],
		[['recipient.viewed', 'document.declined'], 'Viewed, Declined'],
		[[], ''],
		[Object.keys(EVENTS), '7 events'],
	])('names one event as the form does, two shorter, and counts more: %j', (events, expected) => {
		const workflow = workflowFor(events);
		const [node] = Object.values(workflow.nodes);
		const { subtitle = '' } = new ESignTrigger().description;
		// As n8n evaluates it on the canvas.
		expect(
			node && workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {}),
		).toBe(expected);
	});
});
