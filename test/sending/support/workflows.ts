import {
	NodeConnectionTypes,
	type IConnections,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type Workflow,
} from 'n8n-workflow';
import { N8n } from '../../support/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { TYPE } from '../../actions/support/workbench';
import { LossyService, numbered } from './lossyService';
import { otherWorker } from './otherProcess';
import { retryIn } from './retryIn';

/** Runs a function of a test on its items. */
class Work implements INodeType {
	description = {
		displayName: 'Work',
		name: 'work',
		group: ['transform' as const],
		version: 1,
		description: 'Runs a function of a test',
		defaults: {},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	};

	constructor(work: (items: INodeExecutionData[], run: number) => INodeExecutionData[]) {
		this.execute = async function (this: IExecuteFunctions) {
			return [
				work(
					this.getInputData(),
					this.evaluateExpression('{{ $runIndex }}', 0) as unknown as number,
				),
			];
		};
	}

	readonly execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
}

type OneNode = Partial<INode> & { name: string; type: string };

export const GIVEN = { name: 'Given', type: 'test.given' };
export const BACK = { name: 'Back', type: 'test.pass' };
/** Gives its items without their data. */
export const BARE = { name: 'Bare', type: 'test.bare' };
/** Counts how often it got its items. */
export const COUNT = { name: 'Count', type: 'test.count' };
/** Gives its items with their place alone. */
export const PLACED = { name: 'Placed', type: 'test.placed' };
export const ROUNDS = { name: 'Rounds', type: 'test.rounds' };
export const TELL = { name: 'Tell', type: 'test.tell' };

/** The message of an item of which a person has to tell which document is its own. */
export const NAMED = /^It is not clear whether one of these documents is this one/;

/** The rows behind one that fails are sent, too. */
export const CONTINUE = { onError: 'continueRegularOutput' as const };

export const esign = (
	name: string,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): OneNode => ({
	name,
	type: TYPE,
	parameters,
	...settings,
});

/** The same workflow as it is saved by now. */
export const savedAs = (workflow: Workflow, changed: Workflow): Workflow =>
	Object.assign(changed, { id: workflow.id });

/** What came out of a node, in all its runs. */
export const outputsOf = (run: IRun, name = 'eSign') =>
	(run.data.resultData.runData[name] ?? []).flatMap(({ data }) =>
		(data?.main?.[0] ?? []).map(({ json }) => json),
	);

/** The lossy service, and workflows around the node whose answers it loses. */
export class Workflows {
	readonly service = LossyService.ofThisFile();
	items: INodeExecutionData[] = [];
	/** How many of them go round together. */
	batch = 1;
	/** How often the last node of the workflow fails. */
	failures = 0;

	private readonly others = {
		'test.given': new Work(() => this.items),
		'test.pass': new Work((passed, rounds) => {
			if (rounds > 5) throw new Error(`It goes round for ever: ${JSON.stringify(passed[0]?.json)}`);
			return passed.map(({ json, binary }) => ({ json, binary }));
		}),
		'test.bare': new Work((passed) => passed.map(({ binary }) => ({ json: {}, binary }))),
		'test.count': new Work((passed, tries) =>
			passed.map(({ json, binary }) => ({ json: { ...json, tries }, binary })),
		),
		'test.placed': new Work((passed) =>
			passed.map(({ binary }, row) => ({ json: { row }, binary })),
		),
		'test.rounds': new Work((_, run) => this.items.slice(run * this.batch, (run + 1) * this.batch)),
		'test.tell': new Work((passed) => {
			if (this.failures-- > 0) throw new Error('Nobody can be told');
			return passed;
		}),
	};

	constructor() {
		beforeEach(async () => {
			this.items = await numbered(1);
			this.batch = 1;
			this.failures = 0;
			this.service.n8n = new N8n({ [TYPE]: new ESign(), ...this.others }, this.service.credential);
		});
	}

	/** n8n in another process, which knows only what n8n has saved of executions. */
	async otherN8n(): Promise<N8n> {
		return await otherWorker(this.service, this.others);
	}

	/** Runs a workflow until n8n is killed, as it sends such a request: the first, or after so many. */
	async killedAt(path: RegExp, workflow: Workflow, skip = 0): Promise<IRun> {
		const run = async (signal: AbortSignal) =>
			await this.service.n8n.execute(workflow, 'Given', { signal });
		return await this.service.killedAt(path, run, skip);
	}

	/** What retries executions of a workflow in another process. */
	async otherWorker(workflow: Workflow) {
		const worker = await this.otherN8n();
		return {
			retry: async (run: IRun, lost?: 'killed') => await retryIn(worker, workflow, run, lost),
		};
	}

	/** `lines` are written `from > to`, or `from ! to` for the error output. */
	flow(nodes: OneNode[], ...lines: string[]): Workflow {
		const connections: IConnections = {};
		for (const line of lines) {
			const [from = '', sign, to = ''] = line.split(' ');
			const main = ((connections[from] ??= { main: [] }).main ??= []);
			main[sign === '!' ? 1 : 0] = [{ node: to, type: 'main', index: 0 }];
			main[0] ??= [];
		}
		return this.service.n8n.workflow(nodes, { connections });
	}

	async run(workflow: Workflow) {
		return await this.service.n8n.execute(workflow, 'Given');
	}

	/** The items go round one after the other, as with a Loop node. */
	loop(parameters: INodeParameters, settings: Partial<INode> = {}): Workflow {
		const nodes = [GIVEN, ROUNDS, esign('eSign', parameters, settings)];
		return this.flow(nodes, 'Given > Rounds', 'Rounds > eSign', 'eSign > Rounds');
	}

	/** Likewise, and after each the node that tells people. */
	loopAndTell(parameters: INodeParameters, settings: Partial<INode> = {}): Workflow {
		const nodes = [GIVEN, ROUNDS, esign('eSign', parameters, settings), TELL];
		const lines = ['Given > Rounds', 'Rounds > eSign', 'eSign > Tell', 'Tell > Rounds'];
		return this.flow(nodes, ...lines);
	}

	/** All items at once. */
	list(parameters: INodeParameters, settings: Partial<INode> = {}): Workflow {
		return this.flow([GIVEN, esign('eSign', parameters, settings)], 'Given > eSign');
	}

	/** Retries in another process, ten minutes after n8n was killed. */
	async retryLater(workflow: Workflow, killed: IRun): Promise<IRun> {
		await this.service.clock.sleep(600_000);
		const worker = await this.otherWorker(workflow);
		return await worker.retry(killed, 'killed');
	}

	/** While this runs, the node that tells people fails after each request with such a body. */
	async notTold(body: string, run: () => Promise<IRun>): Promise<IRun> {
		const { service } = this;
		const { lossOf } = service;
		service.lossOf = (method, path, sent) => {
			if (sent.includes(body)) this.failures = 1;
			return lossOf(method, path, sent);
		};
		try {
			return await run();
		} finally {
			service.lossOf = lossOf;
		}
	}
}
