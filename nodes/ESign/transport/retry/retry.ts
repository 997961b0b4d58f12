import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { methodOf, type ApiRequest } from '../http/address';
import { attempt } from '../http/attempt';
import { ruleOf, type Endpoint } from '../../service/endpoints';
import { refusal, type FailureSite } from '../errors/failure';
import { prepareCall, type PreparedCall } from '../http/exchange';
import { exhausted, gaveUpOnRateLimit, inDoubtForGood, resetsTooLate } from './givingUp';
import type { Outcome } from './outcome';
import { WaitTooLong } from '../pacing/pacer';
import { reconcilerOf, type Ask, type Reconciler } from './lookFirst';
import { pinsIn } from '../errors/redaction';
import type { Session } from '../session/session';
import { stateAfterRefusal, stateAfterSilence, tellsByRefusal } from './refusedRepetition';
import { Cancelled, pause, throwIfCancelled } from '../pacing/waiting';
import type { ResponseOf } from '../../service/wire';

/**
 * Carries out a call so that its effect happens once, whatever fails: docs/architecture.md section 4, "Once only".
 *
 * @returns the body of the success response, or of what an earlier attempt is found to have left
 * @throws Cancelled
 * @throws NodeApiError with everything that is known about the outcome
 */
export async function carryOut(session: Session, call: PreparedCall, request: ApiRequest): Promise<IDataObject> {
	const reconciler = reconcilerOf(call.endpoint, request);
	if (!reconciler) return await rememberingDoubt(session, call, request);
	const { oneAtATime, returned } = session.state.effects;
	return await oneAtATime.run(`${session.service.baseUrl} ${reconciler.identity}`, session.signal, async () => {
		const body = await repeat(session, call, request, reconciler);
		returned.add(String(body.id));
		return body;
	});
}

/** Where a refused repetition tells of an earlier attempt, that attempt may have been made by an earlier call. */
async function rememberingDoubt(session: Session, call: PreparedCall, request: ApiRequest): Promise<IDataObject> {
	if (!tellsByRefusal(call.endpoint)) return await repeat(session, call, request, undefined);
	const { inDoubt } = session.state.effects;
	const name = `${session.service.baseUrl} ${methodOf(call.endpoint)} ${call.path}`;
	const progress = { inDoubt: inDoubt.has(name) };
	try {
		const body = await repeat(session, call, request, undefined, progress);
		inDoubt.delete(name);
		return body;
	} catch (error) {
		const failure: unknown = error;
		if (progress.inDoubt) inDoubt.add(name);
		throw failure;
	}
}

async function repeat(
	session: Session,
	call: PreparedCall,
	request: ApiRequest,
	reconciler: Reconciler | undefined,
	known = { inDoubt: false },
): Promise<IDataObject> {
	const { settings, signal } = session;
	const site = siteOf(session, call, request);
	const { retry } = ruleOf(call.endpoint);
	const ask = asker(session);
	const stop = (words: string, cause: NodeApiError) => inDoubtForGood(site, words, cause);
	const progress = Object.assign(known, { failures: 0, beganAt: 0, limitedSince: undefined as number | undefined });
	try {
		for (;;) {
			const patienceMs = patienceLeft(session, progress.limitedSince);
			const { outcome, sentAt } = await attempt(session, call, patienceMs);
			progress.beganAt ||= sentAt;
			if (outcome.kind === 'done') return outcome.body;
			if (outcome.kind === 'limited') {
				progress.limitedSince ??= sentAt;
				if (patienceLeft(session, progress.limitedSince) <= 0) {
					throw gaveUpOnRateLimit(site, outcome, settings.clock.now() - progress.limitedSince, progress.inDoubt);
				}
				continue;
			}
			if (outcome.kind === 'refused') {
				const settled =
					progress.inDoubt && (await stateAfterRefusal(ask, call.endpoint, request, outcome.status, stop));
				if (settled) return settled;
				progress.inDoubt = false;
				throw refusal(site, outcome.status, outcome.body);
			}

			progress.failures += 1;
			progress.limitedSince = undefined;
			if (outcome.kind === 'unknown') progress.inDoubt = true;
			const spent = { attempts: progress.failures, ms: settings.clock.now() - progress.beganAt };
			if (outcome.kind === 'notSent' && outcome.fatal) throw exhausted(site, outcome, spent, 'not sent');
			if (retry === 'never' && progress.inDoubt) throw exhausted(site, outcome, spent, 'in doubt');

			const isLast = progress.failures >= settings.attempts;
			if (isLast && !progress.inDoubt) throw exhausted(site, outcome, spent, 'not sent');
			if (isLast && !reconciler) {
				const settled = await stateAfterSilence(ask, call.endpoint, request);
				if (settled) return settled;
				throw exhausted(site, outcome, spent, 'in doubt');
			}
			await pause(settings.clock, pauseAfter(session, outcome, progress.failures, reconciler), signal);
			throwIfCancelled(signal);
			if (reconciler && progress.inDoubt) {
				const adopted = await lookFor(session, call.endpoint, site, reconciler, progress.beganAt);
				if (adopted) return adopted;
				progress.inDoubt = false;
			}
			if (isLast) throw exhausted(site, outcome, spent, 'looked for');
		}
	} catch (error) {
		if (error instanceof Cancelled) error.mayHaveHappened ||= progress.inDoubt;
		throw error instanceof WaitTooLong ? resetsTooLate(site, error.waitMs, progress.inDoubt) : error;
	}
}

/** Looks for what a lost answer left at the service. A look that fails leaves the outcome unknown, and says so. */
async function lookFor(
	session: Session,
	endpoint: Endpoint,
	site: FailureSite,
	reconciler: Reconciler,
	beganAt: number,
): Promise<IDataObject | undefined> {
	const { state } = session;
	return await reconciler.look({
		endpoint,
		ask: asker(session),
		since: () => state.serverClock.notAfter(beganAt),
		isTaken: (id) => state.effects.returned.has(id),
		stop: (words, cause) => inDoubtForGood(site, words, cause),
	});
}

/** Calls of the transport's own, within another call: as careful, and cancelled with it. */
function asker(session: Session): Ask {
	return async <E extends Endpoint>(endpoint: E, request: ApiRequest): Promise<ResponseOf[E]> => {
		const call = prepareCall(session.context, endpoint, request, session.settings.requestTimeoutMs);
		try {
			return (await carryOut(session, call, request)) as ResponseOf[E];
		} catch (error) {
			const failure: unknown = error;
			throw failure instanceof Cancelled ? new Cancelled() : failure;
		}
	};
}

export function siteOf(session: Session, call: PreparedCall, request: ApiRequest): FailureSite {
	return {
		context: session.context,
		endpoint: call.endpoint,
		itemIndex: request.itemIndex,
		pins: pinsIn(request.body),
	};
}

function patienceLeft({ settings, patienceMs, deadline }: Session, limitedSince: number | undefined): number {
	const now = settings.clock.now();
	return Math.min(patienceMs - (limitedSince === undefined ? 0 : now - limitedSince), deadline - now);
}

/** A service that asks for more patience after a fault is down; the user should know. */
const LONGEST_ASKED_MS = 60_000;

/** Exponential with jitter; at least what the service asks for, and time to finish what timed out. */
function pauseAfter(
	{ settings }: Session,
	outcome: Outcome,
	failures: number,
	reconciler: Reconciler | undefined,
): number {
	const backoff = Math.min(settings.backoffMs * 2 ** (failures - 1), settings.longestBackoffMs);
	const jittered = backoff * (0.5 + settings.random() / 2);
	if (outcome.kind !== 'unknown') return jittered;
	const asked = Math.min(outcome.retryAfterMs ?? 0, LONGEST_ASKED_MS);
	return Math.max(jittered, asked, outcome.timedOut && reconciler ? settings.settleMs : 0);
}
