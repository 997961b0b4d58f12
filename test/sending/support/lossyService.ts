import type { INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startLateProxy, type LateProxy, type Loss } from '../../support/lateProxy';
import { N8n, type NodeRun } from '../../support/n8nCore/n8n';
import { nodeMemories, type NodeMemories } from '../../support/n8nCore/nodeMemory';
import { ServiceClient, type Document } from '../../support/serviceClient';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { client, type ClientSettings } from '../../../nodes/ESign/client';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { contract, templateSend, TYPE } from '../../actions/support/workbench';
import { timeOutAtOnce } from '../../client/support/faults';
import { JumpClock } from '../../client/support/jumpClock';
import { DOCUMENT, DOCUMENTS, DOWN, SEND } from './losses';

/** Longer than anything in doubt is kept. */
const A_DAY_MS = 90_000_000;

/** A timeout that no call runs into by itself. */
const PATIENT_MS = 240_000;

type Fitting = {
	method: string;
	path: RegExp;
	body: string;
	loss: Loss;
	left: number;
	skip: number;
};

/**
 * The action node in n8n-core, and the service behind a network on which a test loses the answers
 * to the requests that it names, all on one clock that every wait puts forward. The node uses the
 * client that all nodes share, which goes by `client.settings`: a test file changes those for
 * itself.
 */
export class LossyService {
	/** The requests so far: `POST /documents`. */
	readonly requests: string[] = [];
	readonly clock = new JumpClock();
	sandbox!: Sandbox;
	/** The service as somebody else uses it, who loses nothing. */
	direct!: ServiceClient;
	n8n!: N8n;
	/** What n8n remembers of its nodes, in all processes. */
	memories!: NodeMemories;
	private proxy!: LateProxy;
	private losses: Fitting[] = [];

	/** When the last file was through: what a process remembers is of before that. */
	private static latest = 0;

	/** Opened before the tests of a file, back at the seed before each of them. */
	static ofThisFile(settings: Partial<ClientSettings> = { attempts: 2 }): LossyService {
		const service = new LossyService();
		let endTimeouts: () => void;
		beforeAll(async () => {
			endTimeouts = timeOutAtOnce();
			await service.open(settings);
		});
		beforeEach(async () => await service.reset());
		afterAll(async () => {
			endTimeouts();
			LossyService.latest = Math.max(LossyService.latest, service.clock.now());
			await service.proxy.close();
			await service.sandbox.close();
		});
		return service;
	}

	/** What the credential of the node holds. */
	get credential() {
		return { baseUrl: `${this.proxy.url}/v1`, apiKey: this.sandbox.keys.test };
	}

	/** What becomes of a request; a test may decide it otherwise. */
	lossOf = (method: string, path: string, body: string): Loss | undefined => {
		const isMeant = (one: Fitting) =>
			one.left > 0 &&
			one.method === method &&
			one.path.test(path) &&
			body.includes(one.body) &&
			one.skip-- <= 0;
		const found = this.losses.find(isMeant);
		if (found) found.left -= 1;
		return found?.loss;
	};

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

	/** The answer to a creating request is lost, and so is the look for it: it stays in doubt. */
	loseForGood(path: RegExp, loss: Loss): void {
		this.lose('POST', path, loss);
		this.lose('GET', DOCUMENTS, DOWN, { times: 2 });
	}

	/** The answer to the send of a draft is lost, and so is what follows: it stays in doubt. */
	loseSend(loss: Loss): void {
		this.lose('POST', SEND, loss);
		this.lose('POST', SEND, DOWN);
		this.lose('GET', DOCUMENT, DOWN, { times: 2 });
	}

	/**
	 * A run that is stopped when it sends such a request: nobody reads an answer.
	 *
	 * @param end what else happens then
	 */
	async stoppedAt<Run>(
		at: 'GET' | 'POST',
		path: RegExp,
		run: (signal: AbortSignal) => Promise<Run>,
		end = () => {},
		skip = 0,
	): Promise<Run> {
		const stop = new AbortController();
		const { lossOf } = this;
		this.lossOf = (method, name, body) => {
			if (method === at && path.test(name) && skip-- === 0) {
				stop.abort();
				end();
			}
			return lossOf(method, name, body);
		};
		const stopped = await run(stop.signal);
		this.lossOf = lossOf;
		return stopped;
	}

	/** The same of a run that is killed: nothing is written to n8n's database any longer. */
	async killedAt<Run>(
		path: RegExp,
		run: (signal: AbortSignal) => Promise<Run>,
		skip = 0,
	): Promise<Run> {
		const die = () => (this.memories.failure = new Error('n8n is dead'));
		const killed = await this.stoppedAt('POST', path, run, die, skip);
		this.memories.failure = undefined;
		return killed;
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

	/** What was passed on when its caller was stopped is carried out before any time passes. */
	async answered(): Promise<void> {
		await this.proxy.answered();
	}

	/** Everything late has come when it resolves. */
	async documents(): Promise<Document[]> {
		await this.proxy.settle();
		return await this.direct.documents();
	}

	async titles(): Promise<string[]> {
		return (await this.documents()).map(({ title }) => title).sort();
	}

	async statuses(): Promise<string[]> {
		return (await this.documents()).map(({ status }) => status).sort();
	}

	/** Template > Send with this title. */
	async templateSend(title: string, more: INodeParameters = {}): Promise<INodeParameters> {
		return { ...templateSend(await this.direct.template('Mutual NDA'), title), ...more };
	}

	/** A template of its own, with one signer and nothing to fill in. */
	async bareTemplate(): Promise<string> {
		const { id } = await this.sandbox.control.createTemplate({
			mode: 'TEST',
			status: 'PUBLISHED',
			name: 'Approval',
			roles: [{ role: 'Signer', type: 'SIGNER' }],
			fields: [{ field_key: null, type: 'SIGNATURE', role: 'Signer', required: true, page: 1 }],
		});
		return id;
	}

	/** As before each test. */
	async reset(): Promise<void> {
		this.mend();
		this.requests.length = 0;
		this.memories.clear();
		for (const name of Object.keys(this.n8n.variables)) delete this.n8n.variables[name];
		await this.sandbox.control.reset();
		// What the test before has left unfinished is nobody's any more.
		await this.clock.sleep(A_DAY_MS);
	}

	private async open(settings: Partial<ClientSettings>): Promise<void> {
		const { clock } = this;
		await clock.sleep(LossyService.latest - clock.now());
		Object.assign(client.settings, {
			clock,
			requestTimeoutMs: PATIENT_MS,
			transferTimeoutMs: PATIENT_MS,
			...settings,
		});
		this.memories = nodeMemories();
		this.sandbox = await startSandbox({ rateLimit: 0, clock });
		this.direct = new ServiceClient(this.sandbox.url, this.sandbox.keys.test);
		this.proxy = await startLateProxy(
			() => this.sandbox.url,
			clock,
			(method, path, body) => {
				const bare = path.replace(/^\/v1/, '').replace(/\?.*/, '');
				this.requests.push(`${method} ${bare}`);
				return this.lossOf(method, bare, body);
			},
		);
		this.n8n = new N8n({ [TYPE]: new ESign() }, this.credential);
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
