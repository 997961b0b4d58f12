import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import type { ESignCredential } from '../../../harness/n8nCore/credentials';
import { captureLog } from './log';
import { knownEndpoint, N8nInstance } from './n8nInstance';
import { OfferSender } from './offerSender';

export type StoredWorkflow = ReturnType<N8nInstance['add']>;

export { knownEndpoint as endpointOf };

/** The service fails to give out a file of a document. */
export const fileFault = (variant: string, status: number, times: number) =>
	({ method: 'GET', path: `/documents/*/files/${variant}`, when: 'before', kind: 'status', status, times }) as const;

/** The service, somebody else who uses it, and an n8n that listens; what n8n logs is kept. */
export class Scene {
	readonly logged = captureLog();

	private constructor(
		readonly sandbox: Sandbox,
		readonly service: OfferSender,
		readonly n8n: N8nInstance,
	) {}

	/** @param apiKey the node's; the client's own unless given */
	static async set(sandbox: Sandbox, apiKey = sandbox.keys.test): Promise<Scene> {
		const credential: ESignCredential = { baseUrl: sandbox.url, apiKey };
		const scene = new Scene(sandbox, new OfferSender(sandbox, sandbox.keys.test), new N8nInstance(credential));
		await scene.n8n.start();
		return scene;
	}

	/** A workflow that starts when a document is sent or completed. */
	add(parameters: INodeParameters = {}): StoredWorkflow {
		return this.n8n.add({ events: ['document.sent', 'document.completed'], ...parameters });
	}

	async activeWorkflow(parameters: INodeParameters = {}): Promise<{ workflow: StoredWorkflow; endpointId: string }> {
		const workflow = this.add(parameters);
		await this.n8n.activate(workflow);
		return { workflow, endpointId: knownEndpoint(workflow).id };
	}

	/** The ids of the documents whose events started a workflow. */
	documentsOf(workflow: StoredWorkflow): unknown[] {
		return this.n8n.itemsOf(workflow).map(({ json }) => (json.document as IDataObject).id);
	}

	/** Requests that the service got meanwhile, as `METHOD /path`. */
	async requestsDuring(work: () => Promise<unknown>): Promise<string[]> {
		const before = (await this.sandbox.control.requests()).length;
		await work();
		return (await this.sandbox.control.requests())
			.slice(before)
			.map(({ method, path }) => `${method} ${path.replace('/v1', '')}`);
	}

	async end(): Promise<void> {
		await this.sandbox.control.clearFaults();
		for (const workflow of this.n8n.active) await this.n8n.deactivate(workflow);
		jest.restoreAllMocks();
		await this.n8n.kill();
	}
}

/** Sets the scene anew for each test of the file, over one sandbox. Returns what gives the present one. */
export function sceneForEachTest(options: SandboxOptions = { rateLimit: 0 }): () => Scene {
	let sandbox: Sandbox;
	let scene: Scene;
	beforeAll(async () => {
		sandbox = await startSandbox(options);
	});
	beforeEach(async () => {
		await sandbox.control.reset();
		scene = await Scene.set(sandbox);
	});
	afterEach(async () => await scene.end());
	afterAll(async () => await sandbox.close());
	return () => scene;
}
