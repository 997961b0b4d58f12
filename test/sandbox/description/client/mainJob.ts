/**
 * The main job of an application, written against the types that openapi-typescript makes of
 * /v1/openapi.json. client.test.ts generates ./interface, checks this file against it and runs it:
 * `node mainJob.js URL KEY FILE`.
 */
import { openAsBlob } from 'node:fs';
import createClient from 'openapi-fetch';
import type { components, paths } from './interface.js';

const [, , baseUrl = '', key = '', file = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** The answer, or the refusal as an error that says its code. */
function taken<T>({ data, error }: { data?: T; error?: { error: { code: string } } }): T {
	if (data === undefined) throw new Error(error?.error.code ?? 'no answer');
	return data;
}

const formData = (body: { file: Blob }): FormData => {
	const form = new FormData();
	form.append('file', body.file, 'contract.pdf');
	return form;
};
const upload = { body: { file: await openAsBlob(file) }, bodySerializer: formData };
const { id: fileId } = taken(await client.POST('/files', upload));
const recipients = [{ name: 'Ann Arden', email: 'ann@example.com' }];
const draft = taken(await client.POST('/documents', { body: { files: [fileId], recipients } }));
const path = { id: draft.id };
const place = { pageNumber: 1, xNorm: 0.1, yNorm: 0.8, widthNorm: 0.3, heightNorm: 0.05 };
const field = {
	...place,
	type: 'SIGNATURE' as const,
	recipientId: draft.recipients[0]?.id ?? null,
};
taken(await client.PUT('/documents/{id}/fields', { params: { path }, body: { fields: [field] } }));
const sent = taken(await client.POST('/documents/{id}/send', { params: { path } }));
const listed = taken(
	await client.GET('/documents', { params: { query: { status: 'in_progress', limit: 5 } } }),
);
const missing = await client.GET('/documents/{id}', { params: { path: { id: 'doc_none' } } });
const code = missing.response.status === 404 ? missing.error?.error.code : undefined;
// The codes that this operation may refuse with are known, and no other.
const expected: typeof code = 'document_not_found';

/** Only an event about a recipient has one. */
export function personOf(event: components['schemas']['EventPayload']): string | undefined {
	return event.event === 'recipient.signed' ? event.recipient.email : undefined;
}

// What the description rules out does not compile.
// @ts-expect-error: no such status
void client.GET('/documents', { params: { query: { status: 'finished' } } }).catch(() => undefined);
// @ts-expect-error: recipients are missing
const incomplete: components['schemas']['CreateDocument'] = { files: [] };
void incomplete;

process.stdout.write(JSON.stringify([sent.status, listed.data.length, code === expected]));
