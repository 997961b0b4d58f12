import { createHash, createHmac, randomUUID } from 'crypto';
import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type ILoadOptionsFunctions,
	type ITriggerFunctions,
	type IWebhookFunctions,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { readCredential } from '../service/credential';

export const CREDENTIAL_TYPE = 'eSignApi';

export type Service = {
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	/**
	 * Stands for base URL and API key, and gives neither away: what the key's state in this process
	 * is filed under.
	 */
	keyId: string;
	/**
	 * Base URL and mode, which all keys of a workspace have in common that see the same objects
	 * (docs/service.md section 5).
	 */
	workspaceMode: string;
	/** Of the test mode, in which nothing reaches anybody. */
	isTest: boolean;
	/**
	 * A secret that every node with this API key can work out, in whatever process, and nobody else.
	 */
	sharedSecret: string;
};

/** @throws NodeOperationError if the base URL or the key cannot be used */
export async function readService(
	context: Pick<IExecuteFunctions, 'getCredentials' | 'getNode'>,
): Promise<Service> {
	const given = await context.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const { baseUrl, apiKey } = readCredential(given, (message, description) => {
		throw new NodeOperationError(context.getNode(), message, { description });
	});
	const mode = /^sk_(live|test)_/.exec(apiKey)?.[1] ?? '';
	return {
		baseUrl,
		keyId: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		workspaceMode: `${baseUrl} ${mode}`,
		isTest: mode === 'test',
		sharedSecret: createHmac('sha256', apiKey)
			.update('n8n-nodes-esign shared secret')
			.digest('hex'),
	};
}

/** Everything in n8n from which this package calls the service. */
export type ApiContext =
	| IExecuteFunctions
	| ILoadOptionsFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

/** A sentence of a hint about the things named, such as fields or documents. */
export type Words = (names: readonly string[]) => string;

type Hint = { readonly names: Set<string>; readonly shown: NodeExecutionHint };

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
	/** For the rate limit, in all. */
	waitedMs = 0;
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
	 * there. n8n reads the hints when the node is through, so one that was given is changed.
	 */
	hintAt(words: Words, name: string, type: NodeExecutionHint['type'] = 'warning'): void {
		if (!('addExecutionHints' in this.context)) return;
		const hint: Hint = this.hints.get(words) ?? {
			names: new Set(),
			shown: { message: '', type, location: 'outputPane' },
		};
		hint.shown.message = words([...hint.names.add(name)]);
		if (!this.hints.has(words)) this.context.addExecutionHints(hint.shown);
		this.hints.set(words, hint);
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
