import { NodeHelpers, type INode, type INodeParameters } from 'n8n-workflow';
import { ESign } from '../../../nodes/ESign/ESign.node';

const { description } = new ESign();
const node = { typeVersion: 1 } as INode;
const CREATE: INodeParameters = { resource: 'document', operation: 'create' };
const people = (count: number): INodeParameters => ({
	recipients: { recipient: Array.from({ length: count }, () => ({ name: 'Ada' })) },
});

/** What the editor compares with the display options of a parameter of a form. */
const inEditor = (filled: INodeParameters) => ({
	...NodeHelpers.getNodeParameters(description.properties, filled, true, false, node, description),
});

const isShown = (filled: INodeParameters) =>
	description.properties
		.filter(({ name }) => name === 'routing')
		.some((property) =>
			NodeHelpers.displayParameter(inEditor(filled), property, node, description),
		);

describe('Routing', () => {
	it.each<[string, INodeParameters, boolean]>([
		['nobody', {}, false],
		['one recipient', people(1), false],
		['two', people(2), true],
		['JSON', { recipientsInput: 'json' }, true],
		['JSON after one in the form', { recipientsInput: 'json', ...people(1) }, true],
	])('is beside the recipients, if they have an order: %s', (_, more, is) =>
		expect(isShown({ ...CREATE, ...more })).toBe(is),
	);

	it('is kept by n8n however many there are, and wherever they come from', () => {
		for (const more of [people(1), people(2), { recipientsInput: 'json', ...people(1) }]) {
			expect(inEditor({ ...CREATE, ...more, routing: 'sequential' }).routing).toBe('sequential');
		}
	});
});
