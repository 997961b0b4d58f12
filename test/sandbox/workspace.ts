import http from 'node:http';
import type { AddressInfo } from 'node:net';
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import { PDFDocument } from 'pdf-lib';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { recordAnswer, recordDescription } from './support/answers';
import { Description, type OpenapiDocument } from './support/servedDescription';

/** What an answer of the service may hold; the description, checked on every answer, says what is really there. */
export interface Wire {
	id: string;
	status: string;
	title: string;
	name: string;
	mode: string;
	url: string;
	slug: string;
	key: string;
	created_at: string;
	expires_at: string;
	signing_secret: string;
	use_count: number;
	has_more: boolean;
	next_cursor: string | null;
	deleted: boolean;
	reminded: number;
	replayed: boolean;
	event: string;
	event_id: string;
	attempt: number;
	response_status: number | null;
	response_body: string | null;
	succeeded: boolean;
	document_id: string | null;
	payload: Record<string, unknown>;
	size_bytes: number;
	mime_type: string;
	expires_in: number;
	usage: Record<string, unknown>;
	plan: Record<string, unknown>;
	organization: Record<string, unknown>;
	events: string[];
	roles: Array<{ id: string; role: string; type: string; order: number }>;
	fields: Array<Record<string, unknown>>;
	recipients: Array<{ id: string; name: string; email: string; role: string | null; status: string }>;
	embed_links: Array<{ recipient_id: string; url: string; expires_at: string }>;
	signers: Array<Record<string, unknown>>;
	data: Wire[];
	error: {
		code: string;
		message: string;
		details?: Array<{ field: string; message: string }>;
	} & Record<string, unknown>;
}

/** A recipient as a test states it. */
interface Person {
	name?: string;
	email?: string;
	type?: string;
}

export type Answer = AxiosResponse<Wire>;

export const ALL_EVENTS = [
	'document.sent',
	'recipient.viewed',
	'recipient.signed',
	'document.completed',
	'document.declined',
	'document.expired',
	'document.cancelled',
];
export const SIGNATURE = { pageNumber: 1, xNorm: 0.1, yNorm: 0.8, widthNorm: 0.3, heightNorm: 0.05, type: 'SIGNATURE' };
export const ANN = { name: 'Ann', email: 'ann@example.com' };
export const BOB = { name: 'Bob', email: 'bob@example.com' };

export async function pdfBytes(pages = 1): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	for (let page = 0; page < pages; page++) pdf.addPage([300, 400]);
	return Buffer.from(await pdf.save());
}

/** A running sandbox with a caller of each mode; every answer is held against the description that is served. */
export class Workspace {
	sandbox!: Sandbox;
	description!: Description;
	live!: AxiosInstance;
	test!: AxiosInstance;

	/** The time at which its clock stands, before anything was advanced: what falls due in seconds does not because a machine is busy. */
	readonly now = Date.now();

	private constructor() {}

	/** One for the tests around this call. */
	static forTests(options?: SandboxOptions): Workspace {
		const workspace = new Workspace();
		beforeAll(() => workspace.start(options));
		afterAll(() => workspace.close());
		return workspace;
	}

	static async open(options?: SandboxOptions): Promise<Workspace> {
		const workspace = new Workspace();
		await workspace.start(options);
		return workspace;
	}

	private async start(options?: SandboxOptions): Promise<void> {
		this.sandbox = await startSandbox({ rateLimit: 0, clock: { now: () => this.now }, ...options });
		const served = await axios.get<OpenapiDocument>(`${this.sandbox.url}/openapi.json`, { proxy: false });
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

	caller(key: string | null): AxiosInstance {
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

	async upload(api: AxiosInstance, bytes?: Buffer, name = 'contract.pdf'): Promise<Answer> {
		const form = new FormData();
		form.append('file', new Blob([new Uint8Array(bytes ?? (await pdfBytes()))]), name);
		return api.post('/files', form);
	}

	async fileId(api: AxiosInstance, pages = 1): Promise<string> {
		return (await this.upload(api, await pdfBytes(pages))).data.id;
	}

	async draft(api: AxiosInstance, recipients: object[] = [ANN], body: object = {}): Promise<Wire> {
		const answer = await api.post<Wire>('/documents', { files: [await this.fileId(api)], recipients, ...body });
		if (answer.status !== 201) throw new Error(JSON.stringify(answer.data));
		return answer.data;
	}

	/** A draft in which every signer has a signature field. */
	async sendable(api: AxiosInstance, recipients: Person[] = [ANN], body: object = {}): Promise<Wire> {
		const draft = await this.draft(api, recipients, body);
		const fields = draft.recipients
			.filter((_recipient, index) => recipients[index]?.type !== 'cc')
			.map(({ id }) => ({ ...SIGNATURE, recipientId: id }));
		await api.put(`/documents/${draft.id}/fields`, { fields });
		return draft;
	}

	async sent(api: AxiosInstance, recipients: Person[] = [ANN], body: object = {}): Promise<Wire> {
		const draft = await this.sendable(api, recipients, body);
		const answer = await api.post<Wire>(`/documents/${draft.id}/send`);
		if (answer.status !== 200) throw new Error(JSON.stringify(answer.data));
		return answer.data;
	}

	async template(api: AxiosInstance, name = 'Mutual NDA'): Promise<Wire> {
		const page = await api.get<Wire>('/templates');
		const found = page.data.data.find((template) => template.name === name);
		if (!found) throw new Error(`no template ${name}`);
		return (await api.get<Wire>(`/templates/${found.id}`)).data;
	}

	close(): Promise<void> {
		return this.sandbox.close();
	}

	/** Throws when an answer is not as described. Faults that a test asked for are not the service's. */
	private hold({ config, status, data }: AxiosResponse<unknown>): void {
		const operation = this.description.find(config.method ?? '', config.url ?? '');
		const message = (data as Partial<Wire> | undefined)?.error?.message ?? '';
		if (!operation || message.startsWith('The sandbox was asked')) return;
		const fault = operation.faultOf(status, data);
		if (fault !== undefined) throw new Error(`${operation.name} ${status}: ${fault}\n${JSON.stringify(data)}`);
		recordAnswer(operation, status, data);
	}
}

export interface Received {
	headers: http.IncomingHttpHeaders;
	body: string;
	payload: { id: string; event: string; mode: string; document: Record<string, unknown>; recipient?: object };
}

/** An HTTP server that takes deliveries and answers as it is told. */
export class Receiver {
	readonly received: Received[] = [];
	/** Status and body of the next answers; null never answers. */
	answer: { status: number; body: string } | null = { status: 200, body: 'ok' };

	private constructor(private readonly server: http.Server) {
		server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const body = Buffer.concat(chunks).toString('utf8');
				this.received.push({ headers: request.headers, body, payload: JSON.parse(body) as Received['payload'] });
				if (!this.answer) return;
				const { status, body: text } = this.answer;
				response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(text);
			});
		});
	}

	static async open(): Promise<Receiver> {
		const server = http.createServer();
		// Deliveries come over a connection that is kept, however long a busy machine takes between two.
		server.keepAliveTimeout = 72_000;
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return new Receiver(server);
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
	}

	get events(): string[] {
		return this.received.map(({ payload }) => payload.event);
	}

	close(): void {
		this.server.closeAllConnections();
		this.server.close();
	}
}
