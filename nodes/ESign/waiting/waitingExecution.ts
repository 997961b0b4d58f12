import type { IDataObject } from 'n8n-workflow';

const DAY_MS = 86_400_000;

/** An execution that waits without a limit is forgotten then. A document expires long before that. */
export const LONGEST_WAIT_MS = 400 * DAY_MS;

/** So long is remembered that an execution does not wait any more, for the processes that have not heard of it. */
const OVER_IS_KEPT_MS = DAY_MS;

/** Executions that have gone on and are remembered as such. */
const MAX_OVER = 500;

/** An execution that waits for documents (docs/architecture.md section 8). */
export type WaitingExecution = {
	/** Of the execution: it waits at one node at a time. */
	id: string;
	/** Identifies this wait. */
	key: string;
	/** Of its resume URL; holds n8n's own token, and is never logged. */
	query: string;
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

/** Where a trigger keeps the executions that wait. */
export interface WaitStore {
	get(id: string): WaitingExecution | undefined;
	all(): WaitingExecution[];
	/** In the process only. */
	keep(wait: WaitingExecution): void;
	/** In the process and in static data, which n8n saves after a request that starts nothing. */
	put(wait: WaitingExecution): void;
	remove(id: string): void;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads one with suspicion: what is stored may be an old backup, and what is received comes from another process. */
export function parseWait({
	id,
	key,
	query,
	documents,
	round,
	isOver,
	until,
	at,
}: IDataObject): WaitingExecution | undefined {
	if (!isText(id) || !isText(key) || !/^(\?.*)?$/.test(String(query ?? '')) || !Array.isArray(documents))
		return undefined;
	if (!Number.isFinite(until) || !Number.isFinite(at)) return undefined;
	return {
		id,
		key,
		query: String(query ?? ''),
		documents: documents.filter(isText),
		round: Number(round) || 0,
		isOver: isOver === true,
		until: Number(until),
		at: Number(at),
	};
}

/**
 * What two processes know of one execution. Of two waits the later counts. Of the same wait both have heard of some documents
 * that ended: what one of them knows to have ended does not open again.
 */
export function mergeWaits(one: WaitingExecution, other: WaitingExecution): WaitingExecution {
	const later = other.at > one.at ? other : one;
	if (one.key !== other.key || one.round !== other.round) return later;
	return {
		...later,
		documents: one.documents.filter((id) => other.documents.includes(id)),
		isOver: one.isOver || other.isOver,
	};
}

/** The executions that wait. */
export function allWaiting(waits: WaitStore): WaitingExecution[] {
	return waits.all().filter(({ isOver, until }) => !isOver && until > Date.now());
}

/** The same execution, which does not wait any more. */
export function finished(wait: WaitingExecution): WaitingExecution {
	const at = Math.max(Date.now(), wait.at + 1);
	return { ...wait, query: '', documents: [], isOver: true, at, until: at + OVER_IS_KEPT_MS };
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

/** Takes documents that have ended away from whoever waits for them. @returns those that wait for none any more */
export function countDown(waits: WaitStore, hasEnded: (id: string) => boolean): WaitingExecution[] {
	for (const wait of allWaiting(waits)) {
		const documents = wait.documents.filter((id) => !hasEnded(id));
		if (documents.length < wait.documents.length) waits.keep({ ...wait, documents });
	}
	return allWaiting(waits).filter(({ documents }) => documents.length === 0);
}
