import type {
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/** Everything in n8n from which this package calls the service. */
export type ApiContext =
	IExecuteFunctions | ILoadOptionsFunctions | IHookFunctions | ITriggerFunctions | IWebhookFunctions;

/** A form whose list is being filled: somebody looks at it and waits. */
export function isInteractive(context: ApiContext): boolean {
	return 'getCurrentNodeParameter' in context;
}

/** The signal that ends this execution, where there is one: hooks, webhooks and dropdowns cannot be cancelled. */
export function cancelSignalOf(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
