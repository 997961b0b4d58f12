import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Control } from '../../sandbox/controls/client';
import { projectRoot } from './packing';

export interface Recipient {
	id: string;
	name: string;
	email: string;
	role: string | null;
	status: string;
}

export interface Document {
	id: string;
	status: string;
	title: string;
	recipients: Recipient[];
}

export interface Endpoint {
	id: string;
	url: string;
	events: string[];
	status: string;
}

/** An entry of any list. */
export type Entry = Record<string, unknown> & { id: string };

/** An attempt to deliver an event. */
export interface Delivery {
	id: string;
	event: string;
	event_id: string;
	document_id: string | null;
	attempt: number;
	response_status: number | null;
	response_body: string | null;
	error: string | null;
	succeeded: boolean;
	/** The body of the delivery. */
	payload: Record<string, unknown>;
	created_at: string;
}

/** The PDF that tests, bench, soak and demo send, one page. */
export const contract = readFileSync(join(projectRoot, 'test', 'fixtures', 'contract.pdf'));

/**
 * The service as somebody other than the nodes uses it: plain calls of its API, and the sandbox's
 * controls.
 */
export class ServiceClient {
	readonly control: Control;

	/**
	 * @param url ends in `/v1`
	 * @param key the API key that calls carry
	 */
	constructor(
		readonly url: string,
		readonly key: string,
	) {
		this.control = new Control(new URL(url).origin);
	}

	/** The same service through another key, whose rate limit nothing has been spent from yet. */
	async withFreshKey(): Promise<ServiceClient> {
		const { key } = await this.control.createKey({ mode: 'LIVE' });
		return new ServiceClient(this.url, key);
	}

	/**
	 * A call of the API; the body is sent as JSON, or as it is if it is a form.
	 *
	 * @throws Error with the answer unless it is a 2xx
	 */
	async api<T>(method: string, path: string, body?: object): Promise<T> {
		const isForm = body instanceof FormData;
		const type: Record<string, string> =
			body === undefined || isForm ? {} : { 'content-type': 'application/json' };
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: { authorization: `Bearer ${this.key}`, ...type },
			body: isForm ? body : body && JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok)
			throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
		return (text === '' ? undefined : JSON.parse(text)) as T;
	}

	async upload(bytes: Buffer = contract, name = 'contract.pdf'): Promise<{ id: string }> {
		const form = new FormData();
		form.append('file', new Blob([new Uint8Array(bytes)]), name);
		return await this.api('POST', '/files', form);
	}

	/** Makes a draft of the contract, with a signature field for each of these signers. */
	async draft(title: string, emails: string[], routing = 'parallel'): Promise<Document> {
		const draft = await this.api<Document>('POST', '/documents', {
			title,
			routing,
			files: [(await this.upload()).id],
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
		await this.api('PUT', `/documents/${draft.id}/fields`, { fields });
		return draft;
	}

	/** Sends the contract to these signers, all at once unless the routing says otherwise. */
	async send(title: string, emails: string[], routing?: string): Promise<Document> {
		const { id } = await this.draft(title, emails, routing);
		return await this.api('POST', `/documents/${id}/send`);
	}

	/** Sends the contract and has everybody sign it. */
	async complete(title: string, emails: string[]): Promise<Document> {
		const sent = await this.send(title, emails);
		for (const { id } of sent.recipients) await this.control.sign(id);
		return await this.document(sent.id);
	}

	async document(id: string): Promise<Document> {
		return await this.api('GET', `/documents/${id}`);
	}

	/** The first page of a list, which is all of it unless it is long. */
	async list<T = Entry>(path: string): Promise<T[]> {
		return (await this.api<{ data: T[] }>('GET', path)).data;
	}

	async documents(): Promise<Document[]> {
		return await this.list('/documents?limit=100');
	}

	/** The id of a template. */
	async template(name: string): Promise<string> {
		const found = (await this.list('/templates?limit=100')).find(
			(template) => template.name === name,
		);
		if (!found) throw new Error(`No template ${name}`);
		return found.id;
	}

	/** What a link of a template with two roles is made of: its first signer is open. */
	async linkBody(template: string, label: string) {
		const { roles } = await this.api<{ roles: Array<{ id: string }> }>(
			'GET',
			`/templates/${template}`,
		);
		const signers = roles.map(({ id }, index) =>
			index === 0
				? { placeholder_id: id, is_open: true }
				: { placeholder_id: id, is_open: false, name: 'Ben', email: 'ben@example.com' },
		);
		return { signers, label, max_uses: 5, expires_at: '2030-01-01T00:00:00Z' };
	}

	async addLink(template: string, label = 'Prepared'): Promise<{ id: string }> {
		return await this.api(
			'POST',
			`/templates/${template}/links`,
			await this.linkBody(template, label),
		);
	}

	async endpoints(): Promise<Endpoint[]> {
		return await this.list('/webhooks');
	}

	async addEndpoint(url: string, events = ['document.sent']): Promise<Endpoint> {
		return await this.api('POST', '/webhooks', { url, events });
	}

	async deleteEndpoint(id: string): Promise<void> {
		await this.api('DELETE', `/webhooks/${id}`);
	}

	/** The newest attempts of an endpoint. */
	async deliveries(id: string): Promise<Delivery[]> {
		return await this.list(`/webhooks/${id}/deliveries?limit=100`);
	}
}

/** Does something for each of `count` indices, `width` of them at a time; results in order. */
export async function forEachOf<T>(
	count: number,
	width: number,
	work: (index: number) => Promise<T>,
): Promise<T[]> {
	const results: T[] = [];
	let next = 0;
	const lane = async () => {
		while (next < count) {
			const index = next++;
			results[index] = await work(index);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
	return results;
}
