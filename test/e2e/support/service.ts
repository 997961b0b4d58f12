import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../../sandbox';
import { projectRoot } from '../../../harness/packing';

export interface SentDocument {
	id: string;
	status: string;
	recipients: Array<{ id: string; name: string; email: string; status: string }>;
}

export const contract = readFileSync(join(projectRoot, 'test', 'fixtures', 'contract.pdf'));

/** Plain calls to the service, as somebody other than the nodes would make them. */
export class Service {
	constructor(
		private readonly sandbox: Sandbox,
		private readonly key = sandbox.keys.test,
	) {}

	async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const isForm = body instanceof FormData;
		const response = await fetch(this.sandbox.url + path, {
			method,
			headers: {
				authorization: `Bearer ${this.key}`,
				...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
			},
			body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
		return JSON.parse(text) as T;
	}

	async upload(): Promise<string> {
		const form = new FormData();
		form.append('file', new Blob([new Uint8Array(contract)]), 'contract.pdf');
		return (await this.call<{ id: string }>('POST', '/files', form)).id;
	}

	/** Makes a draft of the contract, with a signature field for each of these signers. */
	async draft(title: string, emails: string[]): Promise<SentDocument> {
		const draft = await this.call<SentDocument>('POST', '/documents', {
			title,
			files: [await this.upload()],
			recipients: emails.map((email) => ({ name: email, email })),
		});
		const fields = draft.recipients.map(({ id }, index) => ({
			recipientId: id,
			type: 'SIGNATURE',
			pageNumber: 1,
			xNorm: 0.1,
			yNorm: 0.1 + index * 0.1,
			widthNorm: 0.3,
			heightNorm: 0.05,
		}));
		await this.call('PUT', `/documents/${draft.id}/fields`, { fields });
		return draft;
	}

	/** Sends the contract to these signers, all at once. */
	async send(title: string, emails: string[]): Promise<SentDocument> {
		const { id } = await this.draft(title, emails);
		return await this.call('POST', `/documents/${id}/send`);
	}

	/** Sends the contract and has everybody sign it. */
	async complete(title: string, emails: string[]): Promise<SentDocument> {
		const sent = await this.send(title, emails);
		for (const { id } of sent.recipients) await this.sandbox.control.sign(id);
		return await this.document(sent.id);
	}

	async document(id: string): Promise<SentDocument> {
		return await this.call('GET', `/documents/${id}`);
	}

	async documents(): Promise<SentDocument[]> {
		return (await this.call<{ data: SentDocument[] }>('GET', '/documents?limit=100')).data;
	}

	async endpoints(): Promise<Array<{ id: string; url: string; events: string[]; status: string }>> {
		return (
			await this.call<{ data: Array<{ id: string; url: string; events: string[]; status: string }> }>(
				'GET',
				'/webhooks',
			)
		).data;
	}
}
