import type { NodeOperationError } from 'n8n-workflow';
import { listed, SEND_UNCHANGED, type Document, type Words } from '../client';
import type { Item } from '../operation/parameters';

/** The answer was lost, and one document fits. */
export const FOUND: Words = (ids) =>
	`The service did not answer, but it created what was asked for: ${listed(ids)}. It was not sent again.`;

/** n8n's memory has the item as begun, and one document fits. */
export const FOUND_IN_RETRY: Words = (ids) =>
	`Sent by an earlier try, and not sent again: ${listed(ids)}. To send it once more, run it alone in a new execution.`;

/** *Skip If Created Within* has found it. */
export const EXISTED: Words = (ids) =>
	`There already, so nothing was created or sent (Skip If Created Within): ${listed(ids)}`;

/** A draft of an item that was corrected. */
export const NEVER_SENT: Words = (ids) =>
	`The item was changed since an earlier try created this draft, which is never sent: ${listed(ids)}.`;

/** What an item had asked for before it was corrected. */
export const SENT_UNCHANGED: Words = (ids) =>
	`Sent by an earlier try, before the item was changed, and not sent again: ${listed(ids)}. To send it as it is now, cancel that document and run the item alone in a new execution.`;

export const CONTINUED: Words = (ids) =>
	`Continued with the draft of an earlier try: ${listed(ids)}.`;

/** In a sub-workflow, at its first send. */
export const CALLED: Words = () =>
	'This is a sub-workflow: if the node that calls it is retried, by Retry On Fail or Retry execution, everything is sent again. Set Skip If Created Within (Hours) to prevent that.';

/** Whether a document was sent cannot be told, and a person has to look. */
export function named(item: Item, documents: readonly Document[]): NodeOperationError {
	const ids = documents.map(({ id }) => id);
	// An execution that has gone on offers no Retry.
	const waysOut = item.context.continueOnFail()
		? 'If it is this one, nothing is left to do. If not, give this one another title, and send it in a new execution.'
		: 'If it is this one, set Skip If Created Within (Hours), give this one the title of that document, and retry with the currently saved workflow. If not, give this one another title and retry in the same way.';
	const message = `It is not clear whether one of these documents is this one: ${listed(ids)}`;
	const error = doubtful(item, message, `Nothing more was sent. ${waysOut}`);
	error.context.documents = ids;
	return error;
}

/** Whether a document was sent cannot be told, and nothing shows it. */
export function notKnown(item: Item, why: string): NodeOperationError {
	const remedy = item.context.continueOnFail()
		? SEND_UNCHANGED
		: 'Retry the execution: the node looks again before it sends anything. If that does not help, check in the web application what was sent, set Skip If Created Within (Hours) and retry with the currently saved workflow: only what differs from that in title or recipients is sent.';
	return doubtful(
		item,
		`Whether this was sent already is not known: ${why}`,
		`Nothing more was sent. ${remedy}`,
	);
}

/** The document of the item is not out any longer. */
export function withdrawn(item: Item, { id, status }: Document): NodeOperationError {
	const ended = status === 'cancelled' ? 'was cancelled' : 'has expired';
	return item.error(
		`This was sent before, and ${ended} since: ${id}`,
		'It is not sent again. To send it once more, run it alone in a new execution.',
	);
}

function doubtful(item: Item, message: string, description: string): NodeOperationError {
	const error = item.error(message, description);
	error.context.outcome = 'in doubt';
	return error;
}
