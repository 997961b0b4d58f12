import type { INodeParameters } from 'n8n-workflow';
import { bench, documents, openBench } from '../support/operationRun';
import { byId, DRAFT } from '../support/workbench';

openBench();

describe('A refusal that is about the state of a document', () => {
	const recipients = {
		recipientsInput: 'json',
		recipientsJson: '[{"name": "Ada", "email": "ada@example.com"}]',
	};

	it.each<[string, INodeParameters]>([
		['updateFields', { fieldsInput: 'none' }],
		['updateRecipients', recipients],
	])('of %s names the state and the document', async (operation, parameters) => {
		const [{ documentId: id }] = await documents(true);
		const { error } = await bench.run('document', operation, {
			documentId: byId(id),
			...parameters,
		});
		expect(error?.message).toBe(`The document is out for signature: ${id}`);
		expect(error?.description).toMatch(/^Only a draft can be sent or changed\./);
		expect(error?.httpCode).toBe('409');
		expect(bench.takeRequests().map(({ method }) => method)).toEqual([
			expect.stringMatching(/POST|PUT/),
			'GET',
		]);
	});

	it('of Send is none where the document is out: it is what was asked for', async () => {
		const [{ documentId: id }] = await documents(true);
		const { items } = await bench.run('document', 'send', { documentId: byId(id) });
		expect(items[0]?.json).toMatchObject({ id, status: 'in_progress' });
		await bench.run('document', 'cancel', { documentId: byId(id) });
		const { error } = await bench.run('document', 'send', { documentId: byId(id) });
		expect(error?.message).toBe(`The document was cancelled: ${id}`);
	});

	it('of Cancel names it for every state', async () => {
		const { control } = bench.sandbox;
		const cancel = async ({ documentId }: { documentId: string }) =>
			(await bench.run('document', 'cancel', { documentId: byId(documentId) })).error?.message;
		const [draft] = await documents(false);
		const [expired, declined] = await documents(true);
		await control.expire(expired.documentId);
		await control.decline(declined.recipientId);
		await expect(cancel(draft)).resolves.toBe(`The document is still a draft: ${draft.documentId}`);
		await expect(cancel(expired)).resolves.toBe(`The document has expired: ${expired.documentId}`);
		await expect(cancel(declined)).resolves.toBe(
			`The document was declined: ${declined.documentId}`,
		);
	});

	it('stays as it was when the document cannot be read', async () => {
		const [{ documentId: id }] = await documents(true);
		const { key } = await bench.sandbox.control.createKey({
			mode: 'TEST',
			scopes: ['documents:write'],
		});
		bench.useKey(key);
		const { error } = await bench.run('document', 'send', { documentId: byId(id) });
		expect(error?.message).toBe(`The document is not a draft any more: ${id}`);
	});

	it('names who lacks a signature field by the address, not by an id', async () => {
		const [draft] = await bench.prepare('document', 'create', { ...DRAFT, fieldsInput: 'none' });
		const { error } = await bench.run('document', 'send', { documentId: byId(draft?.id) });
		expect(error?.message).toMatch(/^A signer has no signature field: ada@example\.com/);
	});
});

it('An ID whose kind is unknown is sent: the service may have others', async () => {
	const { error } = await bench.run('document', 'get', { documentId: byId('document_7') });
	expect(error?.message).toBe('There is no such document: document_7');
});
