import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeType, VersionedNodeType } from 'n8n-workflow';
import { ensureInstalled } from '../../test/support/n8nServer/installation';

/** Our built package, as it is published. */
const DIST = join(__dirname, '..', '..', 'dist');

/** Our nodes and those of n8n that a user would build the same thing from. */
const N8N_NODES = {
	'n8n-nodes-base.httpRequest': ['HttpRequest/HttpRequest.node.js', 'HttpRequest'],
	'n8n-nodes-base.splitOut': ['Transform/SplitOut/SplitOut.node.js', 'SplitOut'],
	'n8n-nodes-base.filter': ['Filter/Filter.node.js', 'Filter'],
	'n8n-nodes-base.removeDuplicates': [
		'Transform/RemoveDuplicates/RemoveDuplicates.node.js',
		'RemoveDuplicates',
	],
} as const;

type NodeClass = new () => INodeType | VersionedNodeType;

/**
 * Path of a file of `n8n-nodes-base`, out of the n8n that the e2e tests run on (installed into a
 * cache on first use).
 */
export async function n8nNodeFile(path: string): Promise<string> {
	const { n8n } = await ensureInstalled((message) => console.error(message));
	return createRequire(n8n).resolve(`n8n-nodes-base/dist/nodes/${path}`);
}

/** Path of one of our built node files. */
export function ownNodeFile(name: 'ESign' | 'ESignTrigger'): string {
	return join(DIST, 'nodes', 'ESign', `${name}.node.js`);
}

/** All node types of the benches by n8n's full type name, in their newest version. */
export async function nodeTypes(): Promise<Record<string, INodeType>> {
	shareN8nModules();
	const types: Record<string, INodeType> = {
		'n8n-nodes-esign.eSign': newestVersion(load(ownNodeFile('ESign'), 'ESign')),
	};
	for (const [type, [path, name]] of Object.entries(N8N_NODES)) {
		types[type] = newestVersion(load(await n8nNodeFile(path), name));
	}
	return types;
}

function load(file: string, name: string): NodeClass {
	const module = createRequire(__filename)(file) as Record<string, NodeClass>;
	const type = module[name];
	if (!type) throw new Error(`${file} exports no ${name}`);
	return type;
}

function newestVersion(NodeTypeClass: NodeClass): INodeType {
	const type = new NodeTypeClass();
	return 'nodeVersions' in type ? type.getNodeType() : type;
}

/**
 * n8n's nodes bring the n8n-core and n8n-workflow of their own installation: both sides get this
 * project's instead.
 */
function shareN8nModules(): void {
	const loader = Module as unknown as {
		_resolveFilename(request: string, ...rest: unknown[]): string;
	};
	const resolve = loader._resolveFilename;
	const here = createRequire(__filename);
	const shared = new Map(['n8n-workflow', 'n8n-core'].map((name) => [name, here.resolve(name)]));
	loader._resolveFilename = (request, ...rest) =>
		shared.get(request) ?? resolve.call(loader, request, ...rest);
}
