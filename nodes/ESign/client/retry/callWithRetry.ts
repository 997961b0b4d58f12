import type { IDataObject, NodeApiError } from 'n8n-workflow';
import type { Document, DocumentStatus } from '../../service/wire';
import type { Call } from '../call/call';
import type { Unknown } from '../call/outcome';
import { sendRequest } from '../call/sendRequest';
import { asThrown, isGone, ruleOfCall, stillInDoubt } from '../errors/failure';
import { refusal } from '../errors/refusal';
import { Cancelled } from '../pacing/pause';
import type { Words } from '../run';
import { Attempts, waitUntilCertain, type Attempt } from './attempts';

/** What leaves something behind, or may take effect late, is sent this often at most. */
const MAX_TIMES = 2;

const SPARE: Words = (made) =>
	`The answer to a request was lost, and it was sent once more, which created ${made.join(' ')}`;

/** The states that a call is to bring about (docs/service.md section 3). */
const WANTED: Partial<Record<string, readonly DocumentStatus[]>> = {
	'POST /documents/{id}/send': ['in_progress', 'completed', 'declined', 'expired'],
	'POST /documents/{id}/cancel': ['cancelled'],
};

/**
 * Sends a call until it is known what came of it, as often as its endpoint allows
 * (docs/architecture.md section 4).
 *
 * @param attempt sends it once
 * @returns the body of the success response, or the document that is as the call asked for
 * @throws Cancelled, NodeApiError with everything that is known about the outcome
 */
export async function callWithRetry(
	call: Call,
	attempt: Attempt = sendRequest,
): Promise<IDataObject> {
	const attempts = new Attempts(call);
	try {
		for (;;) {
			const outcome = await attempts.send(attempt);
			if (outcome.kind === 'done') {
				hintAtSpare(attempts, outcome.body);
				return outcome.body;
			}
			if (outcome.kind === 'refused') return await afterRefusal(attempts, outcome);
			// The next attempt waits until the limit lets it through.
			if (outcome.kind === 'limited') continue;

			// What was certainly not sent is sent again. Once that does not help any longer, it counts as
			// the request that was lost before, if there was one.
			const { lost } = attempts;
			const isLoss = outcome.kind === 'unknown' || attempts.areUsedUp;
			if (!lost || !isLoss) {
				await attempts.backOff(outcome);
				continue;
			}
			const found = await afterLoss(attempts, lost);
			if (found) return found;
		}
	} catch (error) {
		if (error instanceof Cancelled) error.mayHaveHappened ||= attempts.lost !== undefined;
		throw asThrown(error);
	}
}

function hintAtSpare({ call, lost }: Attempts, body: IDataObject): void {
	const { spare } = ruleOfCall(call);
	if (!lost || spare === undefined) return;
	call.run.hintAt(SPARE, `${String(body.id)}. There may be a second one like it: ${spare}.`);
}

/**
 * How a call continues when it is unknown what its last request has done.
 *
 * @returns the document, if it is as the call asked for; undefined: send it again
 */
async function afterLoss(attempts: Attempts, lost: Unknown): Promise<IDataObject | undefined> {
	const { call, certainAt, timesLost } = attempts;
	const { retry, spare } = ruleOfCall(call);

	// A second one would reach a person: whoever called finds out what came of it.
	if (retry === 'never') throw attempts.exhausted(lost);

	// The effect of the first may come after that of the second, and would undo it. Nobody else
	// writes to a draft of this run, and a late twin carries the same.
	const mayUndo = retry === 'lastCounts' && lost.late && !call.request.isOfOwnDraft;

	// A third spare would help nobody, and drafts cannot be deleted.
	const isTwiceAtMost = spare !== undefined || mayUndo;
	if (isTwiceAtMost && timesLost >= MAX_TIMES) throw attempts.exhausted(lost);

	if (mayUndo) {
		await waitUntilCertain(call, certainAt, lost.reason);
		return undefined;
	}

	// Whatever was lost, the document shows what came of it.
	if (retry === 'untilState' && attempts.areUsedUp) {
		await waitUntilCertain(call, certainAt, lost.reason);
		const document = await readDocument(call);
		if (isAsWanted(call, document)) return document;
		// Nothing has come of it, and nothing can any longer.
		attempts.lost = undefined;
	}

	await attempts.backOff(lost);
	return undefined;
}

type Refused = { status: number; body: unknown };

/**
 * How a call ends that was refused.
 *
 * @returns the answer, where the refusal shows that what was asked for is there
 * @throws NodeApiError otherwise
 */
async function afterRefusal(attempts: Attempts, refused: Refused): Promise<IDataObject> {
	const { call, lost, certainAt } = attempts;
	const error = refusal(call, refused.status, refused.body);
	const { retry } = ruleOfCall(call);

	// "Not in that state" (409), or refused after a loss: it may be in the wanted state already.
	if (retry === 'untilState' && (refused.status === 409 || lost)) {
		const read = async () => await readDocument(call, lost ? undefined : error);
		// What was lost may still be under way, and be the reason of the refusal.
		const isUnderWay = certainAt > call.settings.clock.now();
		const early = isUnderWay && refused.status === 409 ? await read() : undefined;
		if (early && isAsWanted(call, early)) return early;
		if (lost) await waitUntilCertain(call, certainAt, lost.reason);
		const document = await read();
		if (isAsWanted(call, document)) return document;
		error.context.documentStatus = document.status;
		throw error;
	}

	if (!lost) throw error;

	// The request before this one has deleted it.
	if (retry === 'untilGone' && isGone(error)) {
		const { linkId, id } = call.request.path ?? {};
		return { id: linkId ?? id, deleted: true };
	}

	// Nothing that matters can have happened.
	if (retry === 'again') throw error;

	throw stillInDoubt(call, error);
}

/**
 * Reads the document that a call is about. What the node may not read, or cannot, stays unknown.
 *
 * @param refused the refusal after which it is read, where no answer was lost: then that stands
 */
async function readDocument(call: Call, refused?: NodeApiError) {
	const endpoint = 'GET /documents/{id}';
	const request = { path: call.request.path, itemIndex: call.request.itemIndex };
	try {
		return (await callWithRetry({ ...call, endpoint, request })) as Document & IDataObject;
	} catch (error) {
		if (error instanceof Cancelled) throw asThrown(error);
		if (refused) throw refused;
		throw stillInDoubt(call, error as NodeApiError);
	}
}

function isAsWanted({ endpoint }: Call, { status }: { status: DocumentStatus }): boolean {
	return WANTED[endpoint]?.includes(status) === true;
}
