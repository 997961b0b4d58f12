import type { IExecuteFunctions, INodeProperties, NodePropertyTypes } from 'n8n-workflow';
import { asThrown } from '../../transport';
import { digest } from './fingerprint';
import { givenParameter, UnreadableParameter } from '../parameters/checks/given';

/** What an item asks for, by parameter: as it stands in the node, and as it comes out. */
export type Asked = Record<string, [raw: string, resolved: string]>;

/** A value that a model gives, by its name, in parameters as JSON. */
const FROM_AI = /\$fromAI\(\s*\\?['"`]([\w-]+)/gi;

/** What is asked for by the parameters of an operation. Variables of n8n and what a model says are corrected apart from the node. */
export function askedFor(
	context: IExecuteFunctions,
	description: readonly INodeProperties[],
	itemIndex: number,
): Asked {
	const { parameters } = context.getNode();
	const types = new Map(description.map(({ name, type }) => [name, type]));
	const names = [...types.keys()].filter((name) => name in parameters);
	const said = saidByModel(context, itemIndex);
	const variables = JSON.stringify(parameters).includes('$vars') ? variablesOf(context, itemIndex) : undefined;
	return Object.fromEntries(
		names.map((name) => {
			const read = (value: unknown) => asRead(types.get(name), value);
			const raw = read(parameters[name]);
			const named = JSON.stringify(raw)?.includes('$vars') ? variables : undefined;
			return [name, [short([raw, named, said]), short([read(valueOf(context, name, itemIndex))])]];
		}),
	);
}

/**
 * Whether two requests ask for the same: each parameter comes out the same, so that the items that are done stay so when a user
 * corrects an expression for the others, or it stands in the node as it did, where that counts.
 */
export function isSame(earlier: Asked, now: Asked, rawCounts: boolean): boolean {
	const names = Object.keys(now);
	return (
		names.length === Object.keys(earlier).length &&
		names.every((name) => {
			const [raw, resolved] = earlier[name] ?? [];
			return now[name]?.[1] === resolved || (rawCounts && now[name]?.[0] === raw);
		})
	);
}

/** As a tool, each try has a run index of its own. n8n 1.x does not always say that it is one. */
export function isTool(context: IExecuteFunctions): boolean {
	return 'isToolExecution' in context && context.isToolExecution();
}

/**
 * What an operation reads of a value. The editor keeps more, and changes it when the node is opened: the name under which it
 * has listed what was chosen, and what it knows of the fields of a template.
 */
function asRead(type: NodePropertyTypes | undefined, value: unknown): unknown {
	if (type !== 'resourceLocator' && type !== 'resourceMapper') return value;
	const { __rl: isLocator, mappingMode, schema, value: held } = Object(value) as Record<string, unknown>;
	if (isLocator === true) return held;
	if (mappingMode === undefined || !Array.isArray(schema)) return value;
	const fields = schema as Array<{ id?: unknown; removed?: unknown }>;
	// What is mapped automatically goes by the fields that are known.
	const counts = mappingMode === 'autoMapInputData' ? fields : fields.filter((field) => field.removed === true);
	return [mappingMode, held, counts.map(({ id, removed }) => [id, removed === true]).sort()];
}

/** A fingerprint that tells the values of one parameter apart. n8n saves two for each parameter of each item. */
function short(values: unknown[]): string {
	return digest(values).slice(0, 20);
}

function variablesOf(context: IExecuteFunctions, itemIndex: number): unknown {
	try {
		return context.evaluateExpression('{{ JSON.stringify($vars) }}', itemIndex);
	} catch (error) {
		return String(error);
	}
}

/** What a model gave for the parameters that are left to it: by that another call of a tool is told from another try. */
function saidByModel(context: IExecuteFunctions, itemIndex: number): unknown[] {
	if (!isTool(context)) return [];
	const names = JSON.stringify(context.getNode().parameters).matchAll(FROM_AI);
	return Array.from(names, ([, name]) => [name, context.evaluateExpression(`{{ $fromAI('${name}') }}`, itemIndex)]);
}

/** What cannot be read is told with the parameter's label when the operation reads it. */
function valueOf(context: IExecuteFunctions, name: string, itemIndex: number): unknown {
	try {
		return givenParameter(context, itemIndex, name).value;
	} catch (error) {
		if (error instanceof UnreadableParameter) return error.what;
		throw asThrown(error);
	}
}
