import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import type { WaitAnswer, WaitRequest } from './message';

/** Executions that wait at one time. */
const MAX_WAITING = 1_000;

/** What they take in static data, which n8n saves as a whole, in characters. */
const MAX_TEXT = 500_000;

/** n8n looks once a minute which executions go on by themselves; the trigger's own look comes once an hour. */
const AFTER_LIMIT_MS = 3_600_000;

/** An execution that waits without a limit is forgotten then. A document expires long before that. */
const LONGEST_WAIT_MS = 400 * 86_400_000;

/** So long is remembered that an execution does not wait any more, for the processes that have not heard of it. */
const OVER_IS_KEPT_MS = 86_400_000;

/** Executions that have gone on and are remembered as such. */
const MAX_OVER = 500;

/** A path as seen from the trigger's own URL, and n8n's token. */
const RELATIVE_URL = /^(?:\.\.\/)+(?:[\w.~%-]+\/)*[\w-]+(?:\?.*)?$/;

/** An execution that waits for documents (docs/architecture.md section 8). */
export type WaitingExecution = {
	/** Of the execution: it waits at one node at a time. */
	id: string;
	/** Identifies this wait. */
	key: string;
	/** Its resume URL as seen from the trigger's own; holds n8n's own token, and is never logged. */
	resume: string;
	/** Those that are open, as far as is known. None: it is to be called. */
	documents: string[];
	/** How often the execution has said that documents are open which were taken for ended. */
	round: number;
	/** It does not wait any more. */
	isOver: boolean;
	/** When it is forgotten, in milliseconds since the epoch. */
	until: number;
	/** When this became known, in milliseconds since the epoch. */
	at: number;
};

export interface WaitStore {
	get(id: string): WaitingExecution | undefined;
	all(): WaitingExecution[];
	keep(wait: WaitingExecution): void;
	remove(id: string): void;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads one with suspicion: what is stored may be an old backup, and what is received comes from another process. */
export function parseWait(value: IDataObject): WaitingExecution | undefined {
	const { id, key, resume, documents } = value;
	const [until, at] = [Number(value.until ?? NaN), Number(value.at ?? NaN)];
	const isOver = value.isOver === true;
	if (!isText(id) || !isText(key) || !Array.isArray(documents) || !Number.isFinite(until + at)) return undefined;
	if (!isOver && !(isText(resume) && RELATIVE_URL.test(resume))) return undefined;
	const round = Number(value.round) || 0;
	return { id, key, resume: String(resume), documents: documents.filter(isText), round, isOver, until, at };
}

/**
 * What two processes know of one execution. Of two waits the later counts. Of the same wait both have heard of some documents
 * that ended: what one of them knows to have ended does not open again.
 */
export function mergeWaits(one: WaitingExecution, other: WaitingExecution): WaitingExecution {
	const later = other.at > one.at ? other : one;
	if (one.key !== other.key || one.round !== other.round) return later;
	const documents = one.documents.filter((id) => other.documents.includes(id));
	return { ...later, documents, isOver: one.isOver || other.isOver };
}

/** Notes an execution that waits, or that does not wait any more. */
export function registerWait(context: IWebhookFunctions, waits: WaitStore, request: WaitRequest): WaitAnswer {
	// A test listener ends with its first event.
	if (context.getMode() === 'manual') return 'not published';
	const { key, execution: id, resume, documents, until: limit } = request;
	const now = Date.now();
	const until = typeof limit === 'number' ? limit + AFTER_LIMIT_MS : now + LONGEST_WAIT_MS;
	const wait = parseWait({ id, key, resume, documents, until, at: now });
	if (!wait || request.instance !== context.getInstanceId()) return 'other n8n';
	dropFinishedWaits(waits);
	const held = waits.get(wait.id);
	const isNew = held?.key !== wait.key;
	const next = isNew ? { ...wait, at: Math.max(now, (held?.at ?? 0) + 1) } : { ...wait, round: held.round };
	const others = allWaiting(waits).filter((one) => one.id !== wait.id);
	const hasRoom = others.length < MAX_WAITING && JSON.stringify([...others, wait]).length <= MAX_TEXT;
	if (isNew && !hasRoom && wait.documents.length > 0) return 'full';
	waits.keep(wait.documents.length > 0 ? next : finished(next));
	return 'taken';
}

export function allWaiting(waits: WaitStore): WaitingExecution[] {
	return waits.all().filter(({ isOver, until }) => !isOver && until > Date.now());
}

export function finished(wait: WaitingExecution): WaitingExecution {
	const at = Math.max(Date.now(), wait.at + 1);
	return { ...wait, resume: '', documents: [], isOver: true, at, until: at + OVER_IS_KEPT_MS };
}

/** The same execution, which has said which documents are open. */
export function reopened(wait: WaitingExecution, documents: string[]): WaitingExecution {
	return { ...wait, documents, round: wait.round + 1, at: Math.max(Date.now(), wait.at + 1) };
}

/** Forgets what is long over; for good only where n8n saves static data afterwards. */
export function dropFinishedWaits(waits: WaitStore): void {
	const over = waits.all().filter(({ isOver, until }) => isOver || until <= Date.now());
	const past = over.filter(({ until }, index) => until <= Date.now() || index >= MAX_OVER);
	for (const { id } of past) waits.remove(id);
}

/** Takes documents that have ended away from whoever waits for them. @returns whether somebody does */
export function countDown(waits: WaitStore, hasEnded: (id: string) => boolean): boolean {
	let isWaitedFor = false;
	for (const wait of allWaiting(waits)) {
		const documents = wait.documents.filter((id) => !hasEnded(id));
		if (documents.length === wait.documents.length) continue;
		waits.keep({ ...wait, documents });
		isWaitedFor = true;
	}
	return isWaitedFor;
}
