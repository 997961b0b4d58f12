import type { NodeExecutionHint } from 'n8n-workflow';
import type { ApiContext } from '../context/context';

type Note = { waitedMs: number; hint?: NodeExecutionHint };

/** One reason for waiting: what a run of a node has spent on it is added up, and told in one hint that grows. */
export class WaitHint {
	private readonly notes = new WeakMap<ApiContext, Note>();

	constructor(private readonly inWords: (seconds: number) => string) {}

	/** Adds to the time waited, and tells the user once it is worth telling. */
	add(context: ApiContext, waitedMs: number, hintAfterMs: number, more = ''): void {
		if (waitedMs <= 0 || !('addExecutionHints' in context)) return;
		const note = this.notes.get(context) ?? { waitedMs: 0 };
		note.waitedMs += waitedMs;
		this.notes.set(context, note);
		if (note.waitedMs < hintAfterMs) return;
		const message = this.inWords(Math.round(note.waitedMs / 1000)) + more;
		// n8n reads the hints when the node is through: the one already given grows with the waiting.
		if (note.hint) note.hint.message = message;
		else context.addExecutionHints((note.hint = { message, type: 'info', location: 'outputPane' }));
	}
}

export const rateLimitHint = new WaitHint((seconds) => `Waited ${seconds} s for the rate limit of the API key`);

export const lostAnswerHint = new WaitHint(
	(seconds) =>
		`Waited ${seconds} s after the service gave no answer: what it may still be creating was looked for first, so that nothing is created twice`,
);
