import { Control } from '../sandbox/controls/client';

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

/** The service as the benches prepare and question it, past n8n: plain calls of its API, and the sandbox's controls. */
export class Service {
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
	async withFreshKey(): Promise<Service> {
		const { key } = await this.control.createKey({ mode: 'LIVE' });
		return new Service(this.url, key);
	}

	/** A call of the API. @throws Error with the answer unless it is a 2xx */
	async api<T>(method: string, path: string, body?: unknown): Promise<T> {
		const json = body === undefined ? undefined : JSON.stringify(body);
		const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
		const headers = { authorization: `Bearer ${this.key}`, ...type };
		return await answered(await fetch(`${this.url}${path}`, { method, headers, body: json }), `${method} ${path}`);
	}

	/** Uploads a file. */
	async upload(bytes: Buffer, name: string): Promise<{ id: string }> {
		const form = new FormData();
		form.append('file', new Blob([new Uint8Array(bytes)]), name);
		const headers = { authorization: `Bearer ${this.key}` };
		return await answered(await fetch(`${this.url}/files`, { method: 'POST', headers, body: form }), 'POST /files');
	}
}

async function answered<T>(response: Response, what: string): Promise<T> {
	const text = await response.text();
	if (!response.ok) throw new Error(`${what}: ${response.status} ${text.slice(0, 500)}`);
	return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** Does something for each of `count` indices, `width` of them at a time; results in order. */
export async function forEachOf<T>(count: number, width: number, work: (index: number) => Promise<T>): Promise<T[]> {
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
