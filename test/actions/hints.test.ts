import type { INodeParameters } from 'n8n-workflow';
import { bench, documents, openBench, templateIds } from './support/operationRun';
import { byId, DRAFT, withContract } from './support/workbench';
import { ROLES } from '../client/support/samples';

openBench();

const said = async (
	resource: string,
	operation: string,
	parameters: INodeParameters,
	count = 1,
) => {
	const items = await withContract(...Array.from({ length: count }, () => ({})));
	const {
		hints,
		error,
		items: output,
	} = await bench.run(resource, operation, parameters, { items });
	expect(error).toBeUndefined();
	return { hints: hints.map(({ message }) => message), output: output.map(({ json }) => json) };
};

const AT_BOTTOM = 'No tags were found. The signature boxes are at the bottom: page 3';
const IS_TEST = 'This is a test key: no emails are sent, and nothing is billed';

describe('Below its output, once for all items, the node says', () => {
	it('which draft it has made, and how it is sent', async () => {
		const { hints, output } = await said('document', 'create', DRAFT);
		expect(hints).toEqual([
			AT_BOTTOM,
			`The draft ${String(output[0]?.id)} was created, not sent. Document > Send sends it.`,
		]);
	});

	it('which drafts, the first ten of them by name', async () => {
		const { hints, output } = await said('document', 'create', DRAFT, 12);
		const named = output.slice(0, 10).map(({ id }) => String(id));
		expect(hints).toEqual([
			AT_BOTTOM,
			expect.stringMatching(
				/^12 drafts were created, not sent: .* and 2 more\. Document > Send sends them/,
			),
		]);
		expect(hints[1]).toMatch(new RegExp(`: ${named.join(', ')} and 2 more\\. `));
	});

	it('that the key is a test key, whatever sends', async () => {
		const [draft] = await documents(false);
		const [sent] = await documents(true);
		const { nda } = await templateIds();
		const template = {
			templateId: byId(nda),
			recipientsInput: 'json',
			recipientsJson: JSON.stringify(ROLES),
		};
		const runs: Array<[string, string, INodeParameters]> = [
			['document', 'createAndSend', DRAFT],
			['document', 'send', { documentId: byId(draft?.documentId) }],
			['document', 'remind', { documentId: byId(sent?.documentId) }],
			['template', 'send', template],
		];
		for (const run of runs) expect((await said(...run)).hints).toContain(IS_TEST);
		expect((await said('template', 'send', { ...template, send: false })).hints).toEqual([
			expect.stringMatching(/^The draft doc_\w+ was created, not sent/),
		]);
	});

	it('nothing of the kind with a live key', async () => {
		bench.useKey(bench.sandbox.keys.live);
		expect((await said('document', 'createAndSend', DRAFT)).hints).toEqual([AT_BOTTOM]);
	});
});
