import type { INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import type { ESignCredential } from '../../support/n8nCore/credentials';
import { ServiceClient, type Document } from '../../support/serviceClient';
import { captureLog } from './log';
import { clock, N8nInstance, type StoredWorkflow } from './n8nInstance';

/**
 * For a file of tests one sandbox; for each of its tests the service as new, somebody else who uses
 * it, and an n8n.
 */
export abstract class Stage<Instance extends { end(): Promise<void> }> {
	sandbox!: Sandbox;
	service!: ServiceClient;
	n8n!: Instance;
	/** What n8n has logged. */
	logged!: string[];

	/** To be made where a file begins: everything is there while a test runs. */
	constructor(options: SandboxOptions = { rateLimit: 0 }) {
		beforeAll(async () => {
			clock.reset();
			this.sandbox = await startSandbox(options);
			this.service = new ServiceClient(this.sandbox.url, this.sandbox.keys.test);
		});
		beforeEach(async () => {
			await this.sandbox.control.reset();
			this.logged = captureLog();
			this.n8n = await this.startN8n();
		});
		afterEach(async () => {
			await this.sandbox.control.clearFaults();
			await this.n8n.end();
			jest.restoreAllMocks();
		});
		afterAll(async () => await this.sandbox.close());
	}

	protected abstract start(credential: ESignCredential): Promise<Instance>;

	/** @param apiKey the node's; that of the tests unless given */
	async startN8n(apiKey = this.sandbox.keys.test): Promise<Instance> {
		return await this.start({ baseUrl: this.sandbox.url, apiKey });
	}

	/** Sends a document, and waits for the first attempts to deliver its event. */
	async send(title = 'Contract'): Promise<Document> {
		const document = await this.service.send(title, ['ada@example.com']);
		await this.sandbox.control.advance(0);
		return document;
	}

	async sign({ recipients }: Document): Promise<void> {
		await this.sandbox.control.sign(recipients[0]?.id ?? '');
		await this.sandbox.control.advance(0);
	}

	/** The service refuses to give what is at this path, so many times. */
	async refuse(path: string, status: number, times = 1): Promise<void> {
		await this.sandbox.control.fault({
			method: 'GET',
			path,
			when: 'before',
			kind: 'status',
			status,
			times,
		});
	}

	/** What the service was asked meanwhile, `METHOD /path`, without what tests do. */
	async requestsDuring(work: () => Promise<unknown>): Promise<string[]> {
		const before = (await this.sandbox.control.requests()).length;
		await work();
		const requests = (await this.sandbox.control.requests()).slice(before);
		return requests.map(
			({ method, path }) => `${method} ${path.replace('/v1', '').replace(/\?.*/, '')}`,
		);
	}
}

/** An n8n whose workflows start when documents are sent or completed. */
export class Scene extends Stage<N8nInstance> {
	protected async start(credential: ESignCredential): Promise<N8nInstance> {
		const n8n = new N8nInstance(credential);
		await n8n.start();
		return n8n;
	}

	async activeWorkflow(
		parameters: INodeParameters = {},
	): Promise<{ workflow: StoredWorkflow; endpointId: string }> {
		const workflow = this.n8n.add({
			events: ['document.sent', 'document.completed'],
			...parameters,
		});
		await this.n8n.activate(workflow);
		const [endpoint] = await this.service.endpoints();
		return { workflow, endpointId: endpoint?.id ?? '' };
	}
}
