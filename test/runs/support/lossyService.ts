import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startLateProxy, type LateProxy, type Loss } from '../../../harness/lateProxy';
import { N8n, type NodeRun } from '../../../harness/n8nCore/n8n';
import type { Document } from '../../../harness/serviceClient';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { FaultyService, TYPE } from '../../actions/everyOperation/faultyService';
import { contract, templateSend } from '../../actions/support/workbench';

/** Paths of requests, without the version. */
export const TEMPLATE_SEND = /^\/templates\/[^/]+\/send$/;
export const DOCUMENTS = /^\/documents$/;
export const DOCUMENT = /^\/documents\/[^/]+$/;
export const SEND = /^\/documents\/[^/]+\/send$/;

/** How a request ends. */
export const REFUSED: Loss = { how: 402, afterMs: 1 };
export const NOT_DONE: Loss = { how: 'reset', afterMs: 1 };
export const DONE: Loss = { how: 'reset', afterMs: 1, effectMs: 0 };
export const DOWN: Loss = { how: 503, afterMs: 1 };

type Fitting = { method: string; path: RegExp; body: string; loss: Loss; left: number; skip: number };

/** The action node, and the service behind a network on which a test loses the answers to the requests that it names. */
export class LossyService {
	/** The requests so far: `POST /documents`. */
	readonly requests: string[] = [];

	n8n!: N8n;

	private faulty!: FaultyService;

	private proxy!: LateProxy;

	private losses: Fitting[] = [];

	/** Opened before the tests of a file, back at the seed before each of them. */
	static ofThisFile(): LossyService {
		const service = new LossyService();
		beforeAll(async () => await service.open());
		beforeEach(async () => await service.reset());
		afterAll(async () => {
			await service.proxy.close();
			await service.faulty.close();
		});
		return service;
	}

	get direct() {
		return this.faulty.direct;
	}

	get sandbox() {
		return this.faulty.sandbox;
	}

	get clock() {
		return this.faulty.clock;
	}

	/** What the credential of the node holds. */
	get credential() {
		return { ...this.faulty.credential, baseUrl: `${this.proxy.url}/v1` };
	}

	/** Loses the answer to the next requests that fit. */
	lose(
		method: string,
		path: RegExp,
		loss: Loss,
		{ body = '', times = 1, skip = 0 }: { body?: string; times?: number; skip?: number } = {},
	): void {
		this.losses.push({ method, path, body, loss, left: times, skip });
	}

	/** Nothing is lost from now on. */
	mend(): void {
		this.losses = [];
	}

	/** The answer to a creating request is lost, and so are the looks for it: it stays in doubt. */
	loseForGood(path: RegExp, loss: Loss): void {
		this.lose('POST', path, loss);
		this.lose('GET', DOCUMENTS, DOWN, { times: 5 });
	}

	async run(
		parameters: INodeParameters,
		items: INodeExecutionData[] = [{ json: {} }],
		settings: Partial<INode> = {},
	): Promise<NodeRun> {
		return await this.n8n.runNode(TYPE, { parameters, items, settings });
	}

	async retry(failed: NodeRun, parameters: INodeParameters): Promise<NodeRun> {
		return await this.n8n.retryNode(TYPE, failed, { parameters });
	}

	async documents(): Promise<Document[]> {
		await this.proxy.settle();
		return await this.direct.documents();
	}

	async titles(): Promise<string[]> {
		return (await this.documents()).map(({ title }) => title).sort();
	}

	/** Template > Send with this title. */
	async templateSend(title: string, more: INodeParameters = {}): Promise<INodeParameters> {
		return { ...templateSend(await this.direct.template('Mutual NDA'), title), ...more };
	}

	private async open(): Promise<void> {
		this.faulty = await FaultyService.open({ attempts: 2 });
		this.proxy = await startLateProxy(
			() => this.faulty.sandbox.url,
			this.faulty.clock,
			(method, path, body) => this.lossOf(method, path, body),
		);
		this.n8n = new N8n({ [TYPE]: new ESign() }, this.credential);
	}

	private async reset(): Promise<void> {
		this.mend();
		this.requests.length = 0;
		for (const name of Object.keys(this.n8n.variables)) delete this.n8n.variables[name];
		await this.faulty.sandbox.control.reset();
		// What the test before has left unfinished is nobody's any more.
		await this.clock.sleep(1_000_000);
	}

	private lossOf(method: string, path: string, body: string): Loss | undefined {
		const bare = path.replace(/^\/v1/, '').replace(/\?.*/, '');
		this.requests.push(`${method} ${bare}`);
		for (const one of this.losses) {
			if (one.left === 0 || one.method !== method || !one.path.test(bare) || !body.includes(one.body)) continue;
			if (one.skip > 0) {
				one.skip -= 1;
				continue;
			}
			one.left -= 1;
			return one.loss;
		}
		return undefined;
	}
}

/** So many items, numbered from 1, each with the contract. */
export async function numbered(count: number): Promise<INodeExecutionData[]> {
	return await Promise.all(
		Array.from({ length: count }, async (_, index) => ({
			json: { n: index + 1 },
			binary: { data: await contract() },
		})),
	);
}

/** Titles of what came out. */
export function titlesOf({ items }: NodeRun): unknown[] {
	return items.map(({ json }) => json.title);
}

/** What a run said below its output. */
export function hintsOf({ hints }: NodeRun): string {
	return hints.map(({ message }) => message).join('\n');
}
