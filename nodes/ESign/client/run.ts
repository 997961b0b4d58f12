import { randomUUID } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
	NodeExecutionHint,
} from 'n8n-workflow';
import { readService, type Service } from './credentials';

/** Everything in n8n from which this package calls the service. */
export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/**
 * A sentence of a hint about the things named, such as fields or documents, or about the seconds
 * waited.
 */
export type Words = (names: readonly string[], seconds: number) => string;

type Hint = { readonly names: Set<string>; waitedMs: number; shown?: NodeExecutionHint };

/**
 * What one run of a node has in common. A hook, a webhook and a dropdown that is filled are runs as
 * well.
 */
export class Run {
	/** The execution's id. Dropdowns and hooks have none, and each stands for itself. */
	readonly execution: string;
	/**
	 * Fires when the calls of this run are to end. Made once: Node.js keeps much of what is joined to
	 * a long-lived signal.
	 */
	readonly signal: AbortSignal;
	/** How many were sent for each item. */
	readonly requests = new Map<number | undefined, number>();
	/** Whether it was said how long this run takes. */
	isAnnounced = false;
	private readonly controller = new AbortController();
	private readonly hints = new Map<Words, Hint>();
	private known: Promise<Service> | undefined;
	private held: IDataObject | undefined;

	constructor(private readonly context: ApiContext) {
		const id: string | undefined = context.getExecutionId();
		this.execution = id ?? randomUUID();
		// Hooks, webhooks and dropdowns cannot be cancelled.
		const cancelled =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const { signal } = this.controller;
		this.signal = cancelled ? AbortSignal.any([cancelled, signal]) : signal;
	}

	/**
	 * Ends the calls of a run that nobody waits for any more: what still waits for its turn is not
	 * sent.
	 */
	abort(): void {
		this.controller.abort();
	}

	/** The parameters as the workflow holds them: n8n copies the whole node each time it is asked. */
	get parameters(): IDataObject {
		return (this.held ??= this.context.getNode().parameters as IDataObject);
	}

	/**
	 * The service behind the credential, which is decrypted once. @throws NodeOperationError if it
	 * cannot be used
	 */
	async service(): Promise<Service> {
		// A running trigger is one run for months, in which the credential may change.
		if ('emit' in this.context) return await readService(this.context);
		this.known ??= readService(this.context);
		this.known.catch(() => (this.known = undefined));
		return await this.known;
	}

	/**
	 * Says something below the output, once for all items: what it names is added to the hint that is
	 * there.
	 */
	hintAt(words: Words, name: string, type: NodeExecutionHint['type'] = 'warning'): void {
		const hint = this.hintOf(words);
		this.show(hint, words([...hint.names.add(name)], 0), type);
	}

	/** Adds to a time waited, and tells the user once it is worth telling. */
	hintAtWaiting(words: Words, waitedMs: number, hintAfterMs: number, more = ''): void {
		if (waitedMs <= 0) return;
		const hint = this.hintOf(words);
		hint.waitedMs += waitedMs;
		if (hint.waitedMs >= hintAfterMs)
			this.show(hint, words([], Math.round(hint.waitedMs / 1000)) + more, 'info');
	}

	private hintOf(words: Words): Hint {
		const hint = this.hints.get(words) ?? { names: new Set(), waitedMs: 0 };
		this.hints.set(words, hint);
		return hint;
	}

	/** n8n reads the hints when the node is through: one that was given already is changed. */
	private show(hint: Hint, message: string, type: NodeExecutionHint['type']): void {
		if (hint.shown) hint.shown.message = message;
		else if ('addExecutionHints' in this.context) {
			hint.shown = { message, type, location: 'outputPane' };
			this.context.addExecutionHints(hint.shown);
		}
	}
}

/** The only state that is kept by the context of n8n: it goes with it. */
const runs = new WeakMap<ApiContext, Run>();

export function runOf(context: ApiContext): Run {
	const run = runs.get(context) ?? new Run(context);
	runs.set(context, run);
	return run;
}

/** The service behind the context's credential. @throws NodeOperationError if it cannot be used */
export async function serviceOf(context: ApiContext): Promise<Service> {
	return await runOf(context).service();
}
