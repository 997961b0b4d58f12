import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';

/** The ID that another parameter of the form holds at the moment. @throws NodeOperationError while it holds none */
export function chosenId(context: ILoadOptionsFunctions, parameter: string, label: string): string {
	const id: unknown = context.getCurrentNodeParameter(parameter, { extractValue: true });
	if (typeof id === 'string' && id.trim() !== '' && !id.startsWith('=')) return id.trim();
	const computed = typeof id === 'string' && id.startsWith('=');
	throw new NodeOperationError(
		context.getNode(),
		computed
			? `${label} is an expression, so its entries are known only when the workflow runs`
			: `Choose the ${label} first`,
		{ description: computed ? 'Give this value by ID or as an expression too.' : 'This list depends on it.' },
	);
}
