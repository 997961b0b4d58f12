import type { NodeExecutionHint } from 'n8n-workflow';
import type { ApiContext } from '../session/context';

type Note = { waitedMs: number; hint?: NodeExecutionHint };

const notes = new WeakMap<ApiContext, Note>();

/** Adds to the time that a node's run has waited for the rate limit, and tells the user once it is worth telling. */
export function noteWait(context: ApiContext, waitedMs: number, limit: number | undefined, hintAfterMs: number): void {
	if (waitedMs <= 0 || !('addExecutionHints' in context)) return;
	const note = notes.get(context) ?? { waitedMs: 0 };
	note.waitedMs += waitedMs;
	notes.set(context, note);
	if (note.waitedMs < hintAfterMs) return;
	const message = `Waited ${Math.round(note.waitedMs / 1000)} s for the rate limit of the API key${
		limit === undefined ? '' : ` (${limit} requests per window)`
	}`;
	// n8n reads the hints when the node is through: the one already given grows with the waiting.
	if (note.hint) {
		note.hint.message = message;
		return;
	}
	note.hint = { message, type: 'info', location: 'outputPane' };
	context.addExecutionHints(note.hint);
}
