import type { INodeParameters } from 'n8n-workflow';
import type { Recorded } from '../actions/support/serviceRecord';
import { bench, openBench } from '../actions/support/operationRun';
import { byId, DRAFT, withContract } from '../actions/support/workbench';

const TYPE = 'n8n-nodes-esign.eSign';
const FIVE = [1, 2, 3, 4, 5];
const REFUSAL = { error: { code: 'api_not_enabled', message: 'No', requiredPlan: 'BUSINESS' } };
openBench();

async function titles(): Promise<string[]> {
	const { items } = await bench.run('document', 'getAll', { returnAll: true });
	return items.map(({ json }) => String(json.title)).sort();
}

const isFourth = ({ method, body }: Recorded) => method === 'POST' && JSON.stringify(body ?? '').includes('No. 4');

describe('Retry execution', () => {
	it('sends only what the failed execution had not sent', async () => {
		const templates = await bench.prepare('template', 'getAll');
		const offer = templates.find(({ name }) => name === 'Offer Letter');
		const parameters: INodeParameters = {
			resource: 'template',
			operation: 'send',
			templateId: byId(offer?.id),
			recipientsInput: 'json',
			recipientsJson: JSON.stringify([
				{ role: 'Candidate', name: 'Ada', email: 'ada@example.com' },
				{ role: 'HR', name: 'People', email: 'hr@example.com' },
			]),
			additionalFields: { title: '={{ "No. " + $json.number }}' },
		};
		bench.proxy.refuseNext(isFourth, 402, REFUSAL);
		const items = FIVE.map((number) => ({ json: { number } }));
		const failed = await bench.n8n.runNode(TYPE, { parameters, items });
		expect(failed.error).toMatchObject({ httpCode: '402' });
		await expect(titles()).resolves.toHaveLength(3);

		// Corrected before the retry, to what resolves the same for the items that are done.
		const corrected = { ...parameters, additionalFields: { title: '={{ "No. " + Math.round($json.number) }}' } };
		const { items: output, error } = await bench.n8n.retryNode(TYPE, failed, { parameters: corrected });
		expect(error).toBeUndefined();
		expect(output.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			FIVE.map((number, item) => [`No. ${number}`, { item }]),
		);
		await expect(titles()).resolves.toEqual(FIVE.map((number) => `No. ${number}`));
	});

	it('goes on from the draft that the failed execution left', async () => {
		const parameters = { resource: 'document', operation: 'createAndSend', ...DRAFT };
		bench.proxy.refuseNext(({ path }) => /\/send$/.test(path), 402, REFUSAL);
		const failed = await bench.n8n.runNode(TYPE, { parameters, items: await withContract({}, {}) });
		expect(failed.error?.message).toMatch(/^The draft doc_\w+ was created, but sending it failed/);
		const { items: output, error } = await bench.n8n.retryNode(TYPE, failed, { parameters });
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.status)).toEqual(['in_progress', 'in_progress']);
		await expect(titles()).resolves.toHaveLength(2);
	});

	it.each([
		['whose address was corrected', { email: 'ada@right.example' }],
		['whose name was corrected', { name: 'Ada Lovelace' }],
	])('does not send the draft to a recipient %s in a variable, names it, and makes another', async (_, correction) => {
		Object.assign(bench.n8n.variables, { email: 'ada@wrong.example', name: 'Ada' });
		const person = { name: '={{ $vars.name }}', email: '={{ $vars.email }}', type: 'signer' };
		const recipients = { recipient: [person] };
		const parameters = { resource: 'document', operation: 'createAndSend', ...DRAFT, recipients };
		bench.proxy.refuseNext(({ path }) => /\/send$/.test(path), 402, REFUSAL);
		const failed = await bench.n8n.runNode(TYPE, { parameters, items: await withContract({}) });
		expect(failed.error?.message).toMatch(/^The draft doc_\w+ was created, but sending it failed/);

		const corrected = Object.assign(bench.n8n.variables, correction);
		const { items: output, error, hints } = await bench.n8n.retryNode(TYPE, failed, { parameters });
		expect(error).toBeUndefined();
		const [draft] = /doc_\w+/.exec(failed.error?.message ?? '') ?? [];
		expect(hints.map(({ message }) => message).join()).toContain(`The draft ${draft} of an earlier try is never sent`);
		expect(output.map(({ json }) => json)).toMatchObject([{ status: 'in_progress', recipients: [corrected] }]);
		const { items: all } = await bench.run('document', 'getAll', { returnAll: true });
		expect(all.map(({ json }) => json.status).sort()).toEqual(['draft', 'in_progress']);
	});
});
