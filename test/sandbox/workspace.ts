import axios, { type AxiosResponse } from 'axios';
import { PDFDocument } from 'pdf-lib';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { recordAnswer, recordDescription } from './support/answers';
import type { Caller, Wire, Answer } from './support/wire';
import { Description, type OpenapiDocument } from './support/servedDescription';

export { Receiver } from './support/receiver';
export { placesIn, refusal, type Answer, type Caller, type Wire } from './support/wire';

/** A recipient as a test states it. */
export interface Person {
	name?: string;
	email?: string;
	type?: string;
	pin?: string;
}

/**
 * A field as a test states it: of the recipient in this place of the list, the first one unless it
 * says.
 */
export interface Placed {
	of?: number;
	type?: string;
	[property: string]: unknown;
}

/**
 * A document as a test states it: its fields, and anything else that a request to create it may
 * hold.
 */
export interface About {
	fields?: Placed[];
	[property: string]: unknown;
}

export const ALL_EVENTS = [
	'document.sent',
	'recipient.viewed',
	'recipient.signed',
	'document.completed',
	'document.declined',
	'document.expired',
	'document.cancelled',
];
export const SIGNATURE = {
	pageNumber: 1,
	xNorm: 0.1,
	yNorm: 0.8,
	widthNorm: 0.3,
	heightNorm: 0.05,
	type: 'SIGNATURE',
};
export const ANN = { name: 'Ann', email: 'ann@example.com' };
export const BOB = { name: 'Bob', email: 'bob@example.com' };

/** Who fills the roles of the Offer Letter. */
export const CAST = [
	{ role: 'Candidate', ...ANN },
	{ role: 'HR', ...BOB },
];

/** The signers of a public link: whoever opens it, and Bob for each other role. */
export const signersOf = ({ roles }: Wire) =>
	roles
		.filter(({ type }) => type === 'SIGNER')
		.map(({ id }, index) => ({ placeholder_id: id, is_open: index === 0, ...(index > 0 && BOB) }));

export async function pdfBytes(pages = 1): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	for (let page = 0; page < pages; page++) pdf.addPage([300, 400]);
	return Buffer.from(await pdf.save());
}

/**
 * A running sandbox with a caller of each mode; every answer is held against the description that
 * is served.
 */
export class Workspace {
	sandbox!: Sandbox;
	description!: Description;
	live!: Caller;
	test!: Caller;
	/**
	 * The time at which its clock stands, before anything was advanced: what falls due in seconds
	 * does not because a machine is busy.
	 */
	readonly now = Date.now();

	/** One for the tests around this call, back at the seed before each of them. */
	static forTests<T extends Workspace>(this: new () => T, options?: SandboxOptions): T {
		const workspace = new this();
		beforeAll(() => workspace.start(options));
		beforeEach(() => workspace.control.reset());
		afterAll(() => workspace.close());
		return workspace;
	}

	static async open<T extends Workspace>(this: new () => T, options?: SandboxOptions): Promise<T> {
		const workspace = new this();
		await workspace.start(options);
		return workspace;
	}

	async start(options?: SandboxOptions): Promise<void> {
		this.sandbox = await startSandbox({ rateLimit: 0, clock: { now: () => this.now }, ...options });
		const served = await axios.get<OpenapiDocument>(`${this.sandbox.url}/openapi.json`, {
			proxy: false,
		});
		this.description = new Description(served.data);
		recordDescription(this.description);
		this.live = this.caller(this.sandbox.keys.live);
		this.test = this.caller(this.sandbox.keys.test);
	}

	get control() {
		return this.sandbox.control;
	}

	get origin(): string {
		return this.sandbox.url.replace(/\/v1$/, '');
	}

	caller(key: string | null): Caller {
		const api = axios.create({
			baseURL: this.sandbox.url,
			headers: key === null ? {} : { authorization: `Bearer ${key}` },
			validateStatus: () => true,
			maxRedirects: 0,
			proxy: false,
		});
		api.interceptors.response.use((response) => {
			this.hold(response);
			return response;
		});
		return api;
	}

	async upload(api: Caller, bytes?: Buffer, name = 'contract.pdf'): Promise<Answer> {
		const form = new FormData();
		form.append('file', new Blob([new Uint8Array(bytes ?? (await pdfBytes()))]), name);
		return api.post('/files', form);
	}

	async fileId(api: Caller, pages = 1): Promise<string> {
		return (await this.upload(api, await pdfBytes(pages))).data.id;
	}

	async draft(api: Caller, recipients: object[] = [ANN], body: object = {}): Promise<Wire> {
		const answer = await api.post('/documents', {
			files: [await this.fileId(api)],
			recipients,
			...body,
		});
		if (answer.status !== 201) throw new Error(JSON.stringify(answer.data));
		return answer.data;
	}

	/** A draft with these fields, and a signature field for every signer who has none among them. */
	async sendable(
		api: Caller,
		people: Person[] = [ANN],
		{ fields = [], ...body }: About = {},
	): Promise<Wire> {
		const draft = await this.draft(api, people, body);
		const signs = (place: number) =>
			fields.some(({ of = 0, type = 'SIGNATURE' }) => of === place && type === 'SIGNATURE');
		const missing = people.flatMap(({ type }, of) => (type === 'cc' || signs(of) ? [] : [{ of }]));
		const placed = [...fields, ...missing].map(({ of = 0, ...field }) => {
			return { ...SIGNATURE, ...field, recipientId: draft.recipients[of]?.id };
		});
		const answer = await api.put(`/documents/${draft.id}/fields`, { fields: placed });
		if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
		return draft;
	}

	async sent(...about: Parameters<Workspace['sendable']>): Promise<Wire> {
		const [api] = about;
		const { id } = await this.sendable(...about);
		const answer = await api.post(`/documents/${id}/send`);
		if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
		return answer.data;
	}

	/** A document that everybody has signed. */
	async signed(...about: Parameters<Workspace['sendable']>): Promise<Wire> {
		const { id, recipients } = await this.sent(...about);
		const people: Person[] = about[1] ?? [ANN];
		for (const [index, { type }] of people.entries()) {
			if (type !== 'cc') await this.control.sign(recipients[index]?.id ?? '');
		}
		return this.document(id, about[0]);
	}

	async template(api: Caller, name = 'Mutual NDA'): Promise<Wire> {
		const page = await api.get('/templates');
		const found = page.data.data.find((template) => template.name === name);
		if (!found) throw new Error(`no template ${name}`);
		return (await api.get(`/templates/${found.id}`)).data;
	}

	/** A published template of test mode: one signer, the Client, unless it says more. */
	async published(
		about: Partial<Parameters<Sandbox['control']['createTemplate']>[0]> = {},
	): Promise<string> {
		const roles = [{ role: 'Client', type: 'SIGNER' as const }];
		const template = {
			mode: 'TEST' as const,
			name: 'T',
			status: 'PUBLISHED' as const,
			roles,
			fields: [],
			...about,
		};
		return (await this.control.createTemplate(template)).id;
	}

	async document(id: string, api = this.test): Promise<Wire> {
		return (await api.get(`/documents/${id}`)).data;
	}

	async statuses(id: string): Promise<string[]> {
		return (await this.document(id)).recipients.map(({ status }) => status);
	}

	/** A file of a document, by the address that the service gives for it. */
	async download(id: string, variant: string, api = this.test): Promise<Buffer> {
		const { url } = (await api.get(`/documents/${id}/files/${variant}`)).data;
		return Buffer.from((await axios.get<ArrayBuffer>(url, { responseType: 'arraybuffer' })).data);
	}

	close(): Promise<void> {
		return this.sandbox.close();
	}

	/**
	 * Throws when an answer is not as described. Faults that a test asked for are not the service's.
	 */
	private hold({ config, status, data }: AxiosResponse<unknown>): void {
		const operation = this.description.find(config.method ?? '', config.url ?? '');
		const message = (data as Partial<Wire> | undefined)?.error?.message ?? '';
		if (!operation || message.startsWith('The sandbox was asked')) return;
		const fault = operation.faultOf(status, data);
		if (fault !== undefined)
			throw new Error(`${operation.name} ${status}: ${fault}\n${JSON.stringify(data)}`);
		recordAnswer(this.description, operation, status, data);
	}
}
