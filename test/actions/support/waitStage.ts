import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { until } from '../../../harness/processes/until';
import { ServiceClient, type Document } from '../../../harness/serviceClient';
import { messageKey } from '../../../nodes/ESign/waiting/message';
import { captureLog } from '../../trigger/support/log';
import { clock, storedOf, type StoredWorkflow } from '../../trigger/support/n8nInstance';
import { byId } from './workbench';
import { WaitingN8n } from './waitingN8n';

/** For what never comes; a busy machine may take its time. */
const PATIENT_MS = 240_000;

/** For a file of tests one sandbox, and for each of its tests an n8n whose executions wait. */
export class WaitStage {
	sandbox!: Sandbox;

	service!: ServiceClient;

	n8n!: WaitingN8n;

	logged!: string[];

	/** To be called where a file begins: everything is there while a test runs. */
	static ofThisFile(options: SandboxOptions = { rateLimit: 0 }): WaitStage {
		const stage = new WaitStage();
		beforeAll(async () => {
			stage.sandbox = await startSandbox(options);
			stage.service = new ServiceClient(stage.sandbox.url, stage.sandbox.keys.test);
		});
		beforeEach(async () => {
			await stage.sandbox.control.reset();
			stage.logged = captureLog();
			stage.n8n = await stage.startN8n();
		});
		afterEach(async () => {
			await stage.sandbox.control.clearFaults();
			await stage.n8n.end();
			jest.restoreAllMocks();
		});
		afterAll(async () => await stage.sandbox.close());
		return stage;
	}

	private constructor() {}

	/** @param apiKey the node's; that of the tests unless given */
	async startN8n(apiKey = this.sandbox.keys.test): Promise<WaitingN8n> {
		return await WaitingN8n.start({ baseUrl: this.sandbox.url, apiKey });
	}

	async send(title = 'Contract'): Promise<Document> {
		return await this.service.send(title, ['ada@example.com']);
	}

	async sign({ recipients }: Document): Promise<void> {
		await this.sandbox.control.sign(recipients[0]?.id ?? '');
	}

	/** Begins an execution that waits for a document, and resolves with its ID once it sleeps. */
	async asleepFor(document: { id: string }): Promise<string> {
		const { id, run } = await this.n8n.wait({ documentId: byId(document.id) });
		expect(run.error).toBeUndefined();
		expect(this.n8n.outputOf(id)).toBeUndefined();
		return id;
	}

	/** Lets what goes on in the background come to its end. */
	async eventually<T>(what: string, ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
		return await clock.during(until(what, async () => await ask(), PATIENT_MS));
	}

	/** What an execution puts out once it has gone on. */
	async goneOn(id: string) {
		return await this.eventually(`execution ${id} to go on`, () => this.n8n.outputOf(id));
	}

	/** What the service was asked meanwhile, `METHOD /path`, without what tests do. */
	async requestsDuring(work: () => Promise<unknown>): Promise<string[]> {
		const before = (await this.sandbox.control.requests()).length;
		await work();
		const requests = (await this.sandbox.control.requests()).slice(before);
		return requests.map(({ method, path }) => `${method} ${path.replace('/v1', '').replace(/\?.*/, '')}`);
	}

	/** The key with which whoever has the API key seals messages (docs/architecture.md section 5). */
	sharedKey(): Buffer {
		const secret = createHmac('sha256', this.sandbox.keys.test).update('n8n-nodes-esign shared secret').digest('hex');
		return messageKey(secret);
	}
}

/** What the database holds of the executions that wait for the trigger of a workflow, by execution. */
export function storedWaits({ node, staticData }: StoredWorkflow): Record<string, IDataObject> {
	return storedOf({ node, staticData }, 'wait');
}
