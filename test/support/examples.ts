import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { NodeHelpers, type INode, type INodeTypeDescription } from 'n8n-workflow';
import type { WorkflowFile } from './n8nServer/apiClient';
import { projectRoot } from './packing';

export const examplesFolder = join(projectRoot, 'examples');

/** The name of every example, which is the name of its file without `.json`. */
export const exampleNames = readdirSync(examplesFolder)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.slice(0, -'.json'.length));

/** Reads an example exactly as it is in the repository. */
export function readExample(name: string): WorkflowFile {
	return JSON.parse(readFileSync(join(examplesFolder, `${name}.json`), 'utf8')) as WorkflowFile;
}

/** The nodes of a workflow that are ours, as nodes and as tools. */
export const ownNodes = ({ nodes }: Pick<WorkflowFile, 'nodes'>): INode[] =>
	nodes.filter(({ type }) => type.startsWith('n8n-nodes-esign.'));

/**
 * A list in a node that its user has to choose from: it has no value, and the name of what belongs
 * there.
 */
export interface OpenChoice {
	parameter: string;
	wanted: string;
}

/** What stands open in a node for its user to choose: a template, a workflow. */
export function openChoices({ parameters }: INode): OpenChoice[] {
	return Object.entries(parameters).flatMap(([parameter, given]) => {
		const { __rl, value, cachedResultName } = (given ?? {}) as Record<string, unknown>;
		return __rl === true && value === '' && typeof cachedResultName === 'string'
			? [{ parameter, wanted: cachedResultName }]
			: [];
	});
}

/**
 * Compares the parameters of a node as n8n understands them: with their defaults, and without those
 * that are not shown.
 *
 * @param given the node as a file has it
 * @param kept the same node as n8n has it; what its user has chosen there takes the place of what
 * stood open
 * @returns the paths of the values that n8n has lost or changed
 */
export function lostValues(
	given: INode,
	kept: INode | undefined,
	description: INodeTypeDescription,
): string[] {
	const { properties } = description;
	const complete =
		kept &&
		NodeHelpers.getNodeParameters(properties, kept.parameters, true, false, kept, description, {});
	const open = openChoices(given).map(({ parameter }) => parameter);
	return Object.entries(given.parameters).flatMap(([name, value]) =>
		open.includes(name) ? [] : differences(value, complete?.[name], name),
	);
}

function differences(given: unknown, kept: unknown, path: string): string[] {
	if (given === null || isDeepStrictEqual(given, kept)) return [];
	if (typeof given !== 'object') return [path];
	const keys = Object.entries(given as object);
	if (keys.length === 0) return kept === undefined ? [path] : [];
	return keys.flatMap(([key, value]) =>
		// The list of the fields of a template or of a table is the editor's own.
		key === 'schema'
			? []
			: differences(value, (kept as Record<string, unknown> | undefined)?.[key], `${path}.${key}`),
	);
}
