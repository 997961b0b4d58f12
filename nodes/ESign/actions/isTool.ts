import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether a model calls the node: each call is a request of its own. n8n 1.x does not always say so. */
export function isTool(context: IExecuteFunctions): boolean {
	return 'isToolExecution' in context && context.isToolExecution();
}

/** A value that a model gives, by its name, in parameters as JSON. */
const FROM_AI = /\$fromAI\(\s*\\?['"`]([\w-]+)/gi;

/** What a model gave for the parameters that are left to it. */
export function saidByModel(context: IExecuteFunctions, itemIndex: number): unknown[] {
	const names = JSON.stringify(context.getNode().parameters).matchAll(FROM_AI);
	return Array.from(names, ([, name]) => [name, context.evaluateExpression(`{{ $fromAI('${name}') }}`, itemIndex)]);
}
