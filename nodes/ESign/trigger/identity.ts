import type { FunctionsBase, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';

/**
 * Who owns an endpoint: this node of this workflow in this n8n. It survives a rename; a copied or
 * imported workflow gets another. An n8n made of a copy of the database has the same, because the
 * instance id comes from the encryption key.
 */
export function ownerOf(context: FunctionsBase): string {
	return [context.getInstanceId(), context.getWorkflow().id, context.getNode().id].join('/');
}

export const ownUrl = (context: IHookFunctions | IWebhookFunctions): string =>
	context.getNodeWebhookUrl('default') ?? '';

/** Writes a line of n8n's log, which names the trigger that it is about. */
export function log(context: FunctionsBase, level: 'info' | 'warn' | 'error', text: string): void {
	const trigger = { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
	context.logger[level](`eSign: ${text}`, trigger);
}
