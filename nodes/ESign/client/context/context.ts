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

/** The signal that ends this execution, where there is one: hooks, webhooks and dropdowns cannot be cancelled. */
export function cancelSignalOf(context: ApiContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** A form whose list is being filled: somebody looks at it and waits. */
export function isInteractive(context: ApiContext): boolean {
	return 'getCurrentNodeParameter' in context;
}

/** What ends the calls of a context: made once for each, because Node.js keeps much of what is joined to a long-lived signal. */
const endings = new WeakMap<ApiContext, { controller: AbortController; signal: AbortSignal }>();

function endingOf(context: ApiContext): { controller: AbortController; signal: AbortSignal } {
	let ending = endings.get(context);
	if (!ending) {
		const controller = new AbortController();
		const cancelled = cancelSignalOf(context);
		const signal = cancelled ? AbortSignal.any([cancelled, controller.signal]) : controller.signal;
		ending = { controller, signal };
		endings.set(context, ending);
	}
	return ending;
}

/** Ends the calls of one run of a node that nobody waits for any more: what still waits for its turn is not sent. */
export function endCalls(context: ApiContext): void {
	endingOf(context).controller.abort();
}

/** Fires when a call of this context is to end: its execution is cancelled, `endCalls`, or a signal of the call's own. */
export function endSignalOf(context: ApiContext, own: AbortSignal | undefined): AbortSignal {
	const { signal } = endingOf(context);
	return own ? AbortSignal.any([signal, own]) : signal;
}

/** The execution's id; dropdowns and hooks have none, and each call of theirs stands for itself. */
export function executionOf(context: ApiContext): unknown {
	const id: string | undefined = context.getExecutionId();
	return id ?? context;
}
