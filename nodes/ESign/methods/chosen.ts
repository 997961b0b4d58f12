import type { ILoadOptionsFunctions } from 'n8n-workflow';

/**
 * The ID that another parameter of the form holds at the moment; undefined while nothing is chosen there, or an expression
 * that has a value only when the workflow runs. A list then has no entries: an error would stand in the form of everybody
 * who has just imported a workflow.
 */
export function chosenId(context: ILoadOptionsFunctions, parameter: string): string | undefined {
	const id: unknown = context.getCurrentNodeParameter(parameter, { extractValue: true });
	return typeof id === 'string' && id.trim() !== '' && !id.startsWith('=') ? id.trim() : undefined;
}
