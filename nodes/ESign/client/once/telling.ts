import type { NodeExecutionHint } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import { Cancelled } from '../pacing/waiting';
import { runOf, type ApiContext } from '../run';
import type { Call } from './call';
import type { CreatedObject, Reconciler, Search } from './looking';

/** Tells the user in a hint of the node, and whoever reads the log. */
export function tell(context: ApiContext, message: string): void {
	context.logger.warn(`eSign: ${message}`);
	const hint: NodeExecutionHint = { message, type: 'warning', location: 'outputPane' };
	if ('addExecutionHints' in context) context.addExecutionHints(hint);
}

/**
 * Says at once that an answer was lost and what is done about it: n8n shows hints only when the node is through, and whoever
 * sees a node that says nothing stops it and starts it again.
 */
export function tellOfWait({ session, site }: Pick<Call, 'session' | 'site'>, waitMs: number): void {
	if (waitMs <= 0) return;
	const { context } = session;
	const action = site.endpoint === 'download' ? 'download the file' : ruleOf(site.endpoint).action;
	const seconds = Math.ceil(waitMs / 1000);
	const message = `The service did not answer the request to ${action}. For up to ${seconds} s the node checks what came of it, so that nothing is done twice. There is no need to start this again.`;
	context.logger.info(`eSign: ${message}`);
	if ('sendMessageToUI' in context) context.sendMessageToUI(message);
}

/** Adds up what was waited, for the hint that n8n shows when the node is through. */
export function addWaited({ session: { context, settings } }: Pick<Call, 'session'>, waitedMs: number): void {
	runOf(context).hintAtWaiting(LOST_ANSWER, waitedMs, settings.hintAfterMs);
}

const LOST_ANSWER = (seconds: number) =>
	`Waited ${seconds} s because the service did not answer: the node first looked for what the service may still be creating, so that nothing is created twice`;

/** What an earlier request has done is taken over. */
export function tellTaken({ session, prepared }: Call, what: string): void {
	const { action } = ruleOf(prepared.endpoint);
	tell(
		session.context,
		`${what} comes from an earlier request to ${action} whose answer was lost. It was not done again.`,
	);
}

/** A draft was asked for more than once, because an answer was lost. */
export function tellOfSpareDraft({ session, prepared, request }: Call, id: string): void {
	if (prepared.endpoint !== 'POST /documents' && request.body?.send !== false) return;
	tell(
		session.context,
		`The answer to a request was lost, and the draft ${id} comes from the next one. There may be a second draft like it, which is never sent.`,
	);
}

/**
 * Looks once more after a call was sent again and answered: the first request may have been carried out when nobody expected
 * it any more. Throws nothing: the call has its answer, and what was created is created.
 *
 * @param id of what the repetition has created
 */
export async function reportTwins(
	{ session: { context } }: Call,
	{ thing, find, discard }: Reconciler,
	search: Search,
	id: string,
): Promise<void> {
	try {
		for (const twin of (await find(search)).filter((found) => found.id !== id && search.isSince(found))) {
			if (!discard) {
				tell(context, `${createdTwice(thing, id, twin)} Check both, and withdraw the one that is not needed.`);
				continue;
			}
			await discard(search, twin);
			context.logger.warn(`eSign: ${createdTwice(thing, id, twin)} ${twin.id} was deleted again.`);
		}
	} catch (error) {
		// Whoever stops the execution has the answer of this call all the same.
		if (error instanceof Cancelled) return;
		tell(
			context,
			`A request to create the ${thing} was repeated, and the node could not check whether there are two of ${id}`,
		);
	}
}

function createdTwice(thing: string, id: string, twin: CreatedObject): string {
	return `Two ${thing}s were created, ${id} and ${twin.id}: the answer to the first request was lost, and it was carried out after the request had been repeated.`;
}
