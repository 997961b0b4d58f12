import type { IDataObject, INode, INodeExecutionData, INodeType } from 'n8n-workflow';
import { N8n, nodeRun, type NodeRun } from '../../test/support/n8nCore/n8n';
import { nodeTypes } from './n8nNodes';
import type { ServiceClient } from '../../test/support/serviceClient';

/** A node of a chain: type and parameters as a saved workflow holds them. */
export type ChainNode = Pick<INode, 'name' | 'type' | 'parameters'> &
	Partial<Pick<INode, 'typeVersion' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>>;

export interface ChainRun extends NodeRun {
	/** Wall-clock time of the whole execution. */
	ms: number;
	/** Time this process's threads were busy meanwhile. */
	cpuMs: number;
}

/** Emits the items that were laid out for the next run. */
class Items implements INodeType {
	laidOut: INodeExecutionData[] = [];

	description = {
		displayName: 'Items',
		name: 'items',
		group: ['trigger' as const],
		version: 1,
		description: 'Emits the items of a bench',
		defaults: {},
		inputs: [],
		outputs: ['main' as const],
		properties: [],
	};

	execute = async (): Promise<INodeExecutionData[][]> => [this.laidOut];
}

/**
 * Both sides in one n8n-core: workflows that are a chain of nodes, on the same items, with the same
 * credential.
 */
export class Workbench {
	private constructor(
		private readonly n8n: N8n,
		private readonly items: Items,
		private readonly versions: Record<string, number>,
	) {}

	static async over(service: ServiceClient): Promise<Workbench> {
		const items = new Items();
		const types = { ...(await nodeTypes()), 'bench.items': items };
		const versions = Object.entries(types).map(([name, { description }]) => [
			name,
			newest(description.version),
		]);
		const credential = { baseUrl: service.url, apiKey: service.key };
		return new Workbench(
			new N8n(types, credential),
			items,
			Object.fromEntries(versions) as Record<string, number>,
		);
	}

	/** Uses another key from now on. */
	useKey(service: ServiceClient): void {
		this.n8n.credentials.use({ baseUrl: service.url, apiKey: service.key });
	}

	/**
	 * Runs the chain on the items; the result is that of its last node, or the error of the node that
	 * failed.
	 */
	async run(chain: ChainNode[], items: INodeExecutionData[]): Promise<ChainRun> {
		const nodes = chain.map((node) => ({
			typeVersion: this.versions[node.type],
			credentials: { eSignApi: { id: '1', name: 'eSign' } },
			...node,
		}));
		const names = ['Items', ...chain.map(({ name }) => name)];
		const connections = Object.fromEntries(
			names
				.slice(1)
				.map((name, index) => [
					names[index],
					{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
				]),
		);
		const workflow = this.n8n.workflow([{ name: 'Items', type: 'bench.items' }, ...nodes], {
			connections,
		});
		this.items.laidOut = items;
		const cpu = process.cpuUsage();
		const started = performance.now();
		const run = await this.n8n.execute(workflow, 'Items');
		const ms = performance.now() - started;
		const { user, system } = process.cpuUsage(cpu);
		return { ...nodeRun(run, names.at(-1) ?? ''), ms, cpuMs: (user + system) / 1000 };
	}
}

/** Throws what the chain failed with, for work that must not fail. */
export function succeeded(run: ChainRun): ChainRun {
	if (run.error)
		throw new Error(`A bench workflow failed: ${run.error.message}`, { cause: run.error });
	return run;
}

/** Items with this JSON. */
export function jsonItems(
	count: number,
	json: (index: number) => IDataObject,
): INodeExecutionData[] {
	return Array.from({ length: count }, (_, index) => ({ json: json(index) }));
}

function newest(version: number | number[]): number {
	return Array.isArray(version) ? Math.max(...version) : version;
}
