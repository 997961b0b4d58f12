import type { INodeParameters } from 'n8n-workflow';
import { bench, openBench } from '../support/operationRun';
import { byId, DRAFT } from '../support/workbench';

openBench();

const made = async (send: boolean, more: INodeParameters = {}): Promise<string> => {
	const [document] = await bench.prepare('document', send ? 'createAndSend' : 'create', { ...DRAFT, ...more });
	return String(document?.id);
};

describe('A refusal that is about the state of a document', () => {
	const recipients = { recipientsInput: 'json', recipientsJson: '[{"name": "Ada", "email": "ada@example.com"}]' };

	it.each<[string, INodeParameters]>([
		['send', {}],
		['updateFields', { fieldsInput: 'none' }],
		['updateRecipients', recipients],
	])('of %s names the state and the document', async (operation, parameters) => {
		const id = await made(true);
		const { error } = await bench.run('document', operation, { documentId: byId(id), ...parameters });
		expect(error?.message).toBe(`The document is out for signature: ${id}`);
		expect(error?.description).toMatch(/^Only a draft can be sent or changed\./);
		expect(error?.httpCode).toBe('409');
		expect(bench.takeRequests().map(({ method }) => method)).toEqual([expect.stringMatching(/POST|PUT/), 'GET']);
	});

	it('of Cancel names it for every state', async () => {
		const { control } = bench.sandbox;
		const cancel = async (id: string) =>
			(await bench.run('document', 'cancel', { documentId: byId(id) })).error?.message;
		const draft = await made(false);
		await expect(cancel(draft)).resolves.toBe(`The document is still a draft: ${draft}`);
		const expired = await made(true);
		await control.expire(expired);
		await expect(cancel(expired)).resolves.toBe(`The document has expired: ${expired}`);
		const declined = await made(true);
		const [{ recipients: [signer] = [] } = {}] = (await bench.prepare('document', 'get', {
			documentId: byId(declined),
		})) as Array<{ recipients?: Array<{ id: string }> }>;
		await control.decline(String(signer?.id));
		await expect(cancel(declined)).resolves.toBe(`The document was declined: ${declined}`);
	});

	it('stays as it was when the document cannot be read', async () => {
		const id = await made(true);
		const { key } = await bench.sandbox.control.createKey({ mode: 'TEST', scopes: ['documents:write'] });
		bench.n8n.credentials.use({ baseUrl: bench.proxy.url, apiKey: key });
		try {
			const { error } = await bench.run('document', 'send', { documentId: byId(id) });
			expect(error?.message).toBe(`The document is not a draft any more: ${id}`);
		} finally {
			bench.n8n.credentials.use({ baseUrl: bench.proxy.url, apiKey: bench.sandbox.keys.test });
		}
	});

	it('names who lacks a signature field by the address, not by an id', async () => {
		const id = await made(false, { fieldsInput: 'none' });
		bench.takeRequests();
		const { error } = await bench.run('document', 'send', { documentId: byId(id) });
		expect(error?.message).toMatch(/^A signer has no signature field: ada@example\.com/);
	});
});

it('An ID whose kind nobody knows is sent: the service may have others', async () => {
	const { error } = await bench.run('document', 'get', { documentId: byId('document_7') });
	expect(error?.message).toBe('There is no such document: document_7');
});
