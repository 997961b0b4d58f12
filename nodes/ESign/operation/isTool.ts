import type { IExecuteFunctions } from 'n8n-workflow';
import type { Item } from './parameters';

/**
 * Whether a model calls the node: each call is a request of its own. n8n 1.x does not always say
 * so.
 */
export function isTool(context: IExecuteFunctions): boolean {
	return 'isToolExecution' in context && context.isToolExecution();
}

/** A value that a model gives, by its name, in parameters as JSON. */
const FROM_AI = /\$fromAI\(\s*\\?['"`]([\w-]+)/gi;

/**
 * What a model gave for the parameters that are left to it, and the item that its agent works on.
 */
export function saidByModel({ context, index }: Pick<Item, 'context' | 'index'>): unknown[] {
	const names = JSON.stringify(context.getNode().parameters).matchAll(FROM_AI);
	const said = Array.from(names, ([, name]) => [
		name,
		context.evaluateExpression(`{{ $fromAI('${name}') }}`, index),
	]);
	return [...said, context.evaluateExpression('{{ JSON.stringify($json) }}', index)];
}
