import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../../sandbox';
import { Workspace } from '../workspace';

export interface Person {
	name: string;
	email: string;
	type?: 'signer' | 'cc';
	pin?: string;
}

interface ApiDocument {
	id: string;
	status: string;
	recipients: Array<{ id: string; name: string; status: string }>;
}

export interface FieldPlace {
	/** 0-based place of the recipient in the document's list. */
	of: number;
	type: string;
	xNorm?: number;
	yNorm?: number;
	widthNorm?: number;
	heightNorm?: number;
	pageNumber?: number;
	[property: string]: unknown;
}

export const ADA: Person = { name: 'Ada Arden', email: 'ada@arden.example' };
export const BO: Person = { name: 'Bo Chen', email: 'bo@pumps.example' };

/** A sandbox with an application in front of it that sends documents, as the tests of the pages need them. */
export class Desk {
	private fileId: string | undefined;

	private constructor(private readonly workspace: Workspace) {}

	static async open(): Promise<Desk> {
		return new Desk(await Workspace.open());
	}

	close(): Promise<void> {
		return this.workspace.close();
	}

	/** One for the tests of a file, each of which begins with the seed. */
	static forTests(): Desk {
		const desk = new Desk(Workspace.forTests());
		beforeEach(() => desk.reset());
		return desk;
	}

	get sandbox(): Sandbox {
		return this.workspace.sandbox;
	}

	/** Where the clock of the sandbox stands. */
	get now(): number {
		return this.workspace.now;
	}

	get origin(): string {
		return this.workspace.origin;
	}

	/** Back to the seed: uploaded files are gone too. */
	async reset(): Promise<void> {
		await this.sandbox.control.reset();
		this.fileId = undefined;
	}

	/** Calls the API with the test key; throws what it refuses. */
	async api<T>(method: string, path: string, body?: object): Promise<T> {
		const { status, data } = await this.workspace.test.request<T>({ method, url: path, data: body });
		if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(data)}`);
		return data;
	}

	/** Sends the contract of test/fixtures to these people; every signer gets a signature on the last page. */
	async send(people: Person[], options: { title?: string; routing?: string; fields?: FieldPlace[] } = {}) {
		const { fields: asked = [], ...about } = options;
		const files = [await this.contract()];
		const document = await this.api<ApiDocument>('POST', '/documents', { files, recipients: people, ...about });
		const signatures = people.flatMap(({ type }, of) => (type === 'cc' ? [] : [signatureOf(of)]));
		const fields = [...asked, ...signatures].map(({ of, ...place }) => ({
			...{ pageNumber: 1, xNorm: 0.1, yNorm: 0.85, widthNorm: 0.3, heightNorm: 0.03 },
			...place,
			recipientId: document.recipients[of]?.id,
		}));
		await this.api('PUT', `/documents/${document.id}/fields`, { fields });
		return this.api<ApiDocument>('POST', `/documents/${document.id}/send`);
	}

	document(id: string): Promise<ApiDocument> {
		return this.api('GET', `/documents/${id}`);
	}

	/** What a person finds under the link of their invitation; the dashboard shows it too. */
	async signPath(name: string): Promise<string> {
		const { html } = await this.get('/');
		const links = [...html.matchAll(/href="(\/sign\/[^"]+)"\s*>([^<]+<span class="hidden">[^<]+)/g)];
		const path = links.find(([, , label]) => label?.includes(name))?.[1];
		if (!path) throw new Error(`The dashboard has no link for ${name}`);
		return path;
	}

	async get(path: string) {
		return read(await fetch(new URL(path, this.origin), { redirect: 'manual' }));
	}

	/** Sends a form as a browser without JavaScript does. */
	async post(path: string, texts: Record<string, string> = {}, headers: Record<string, string> = {}) {
		const body = new URLSearchParams(texts);
		return read(await fetch(new URL(path, this.origin), { method: 'POST', body, headers, redirect: 'manual' }));
	}

	/** Signs on the page at this address, with this in its first field. */
	async sign(path: string, text = 'Ada') {
		const { html } = await this.get(path);
		return this.post(formAction(html, '/sign'), { [controlNames(html)[0] ?? '']: text });
	}

	private async contract(): Promise<string> {
		const bytes = readFileSync(join(__dirname, '../../fixtures/contract.pdf'));
		this.fileId ??= (await this.workspace.upload(this.workspace.test, bytes)).data.id;
		return this.fileId;
	}
}

function signatureOf(of: number): FieldPlace {
	return {
		of,
		type: 'SIGNATURE',
		pageNumber: 3,
		xNorm: 0.1 + (of % 2) * 0.43,
		yNorm: 0.655,
		widthNorm: 0.37,
		heightNorm: 0.07,
	};
}

async function read(response: Response) {
	const location = response.headers.get('location');
	return { status: response.status, headers: response.headers, location, html: await response.text() };
}

/** The address to which the first form whose address ends in `act` is sent. */
export function formAction(html: string, act: string): string {
	const actions = [...html.matchAll(/action="([^"]+)"/g)].map(([, action]) => (action ?? '').replaceAll('&amp;', '&'));
	const action = actions.find((one) => one.split('?')[0]?.endsWith(act));
	if (!action) throw new Error(`No form leads to ${act}`);
	return action;
}

/** The names under which the controls of the page send their values, in the order of the page. */
export function controlNames(html: string): string[] {
	return [...new Set([...html.matchAll(/name="(field\.[^"]+)"/g)].map(([, name]) => name ?? ''))];
}
