import type { INodeParameters } from 'n8n-workflow';
import { bench, openBench, SIGNERS, templateIds } from '../actions/support/operationRun';
import { byId, contract, DRAFT, peopleOf } from '../actions/support/workbench';
import { said } from '../actions/support/said';

openBench();

/** One character for a person and for the service, two for JavaScript. */
const EMOJI = '😀';

describe('As many characters as the service takes are sent, whatever they are, and one more is refused:', () => {
	type Case = [what: string, most: number, operation: [string, string], parameters: (text: string) => INodeParameters];
	const person = (more: object): INodeParameters => ({ recipients: { recipient: [{ ...SIGNERS[0], ...more }] } });
	const create: [string, string] = ['document', 'create'];
	const send: [string, string] = ['template', 'send'];
	const roles = (client: string) => [
		{ role: 'Client', name: client, email: 'ada@example.com' },
		{ role: 'Company', name: 'Grace', email: 'grace@example.com' },
	];
	const cases: Case[] = [
		['a title', 160, create, (title) => ({ ...DRAFT, title })],
		['a name', 160, create, (name) => person({ name })],
		['a PIN', 20, create, (pin) => person({ pin })],
		['a title of a template', 160, send, (title) => ({ ...peopleOf(...roles('Ada')), additionalFields: { title } })],
		['a name in a template', 120, send, (name) => peopleOf(...roles(name))],
		[
			'a field value',
			2000,
			send,
			(text) => ({
				...peopleOf(...roles('Ada')),
				fieldValues: { mappingMode: 'defineBelow', value: { client_company: text }, schema: [] },
			}),
		],
	];

	it.each(cases)('%s of %d', async (_, most, [resource, operation], parametersFor) => {
		const { nda } = await templateIds();
		const run = async (length: number) => {
			const parameters = { templateId: byId(nda), send: false, ...parametersFor(EMOJI.repeat(length)) };
			return await bench.run(resource, operation, parameters, {
				items: [{ json: {}, binary: { data: await contract() } }],
			});
		};
		const { error } = await run(most);
		expect(error).toBeUndefined();
		expect(bench.takeRequests().length).toBeGreaterThan(0);
		const tooLong = await run(most + 1);
		expect(said(tooLong.error)).toContain(`has ${most + 1} characters. Shorten it to ${most} at most`);
		expect(bench.takeRequests()).toEqual([]);
	});
});
