import { forgetOldest } from '../../transport';
import type { Known } from '../known';
import type { StartUnderWay } from '../memory';
import { lastMomentOf } from './signature';

/** Deliveries under way that are remembered; n8n would be long overloaded. */
const MOST_STARTS = 5_000;

/** What the trigger uses of the response of n8n's web server. */
export interface Responder {
	statusCode: number;
	readonly writableEnded: boolean;
	readonly destroyed: boolean;
	status(code: number): { send(body: string): unknown };
	once(event: 'finish' | 'close', listener: () => void): unknown;
}

/** What becomes of a delivery beside earlier ones of the same event. */
export type Verdict = 'first' | 'repetition' | 'failed';

/** Whether n8n has started the workflow; undefined while it is at it. It answers 200 when it has, and 500 when it could not. */
function outcomeOf({ response }: StartUnderWay): 'started' | 'failed' | undefined {
	if (!response.writableEnded) return undefined;
	return response.statusCode < 300 ? 'started' : 'failed';
}

/** Notes what has become of a delivery under way. A sender that has gone does not end it: n8n may still start the workflow. */
function settle(known: Known, id: string): StartUnderWay | undefined {
	const { starts } = known.memory;
	const start = starts.get(id);
	const outcome = start && outcomeOf(start);
	if (!outcome) return start;
	starts.delete(id);
	if (outcome === 'started') {
		// From now on, not from when it was signed: while n8n was starting the workflow the service has gone on delivering.
		const since = Math.max(start.signedAt, Math.floor(Date.now() / 1_000));
		known.keep('event', { id, at: start.signedAt, until: lastMomentOf(since) });
	}
	return undefined;
}

/** Notes what has become of every start, before this process tells another what it has accepted. */
export function settleAll(known: Known): void {
	for (const id of [...known.memory.starts.keys()]) settle(known, id);
}

/** Whether an event has started the workflow, as far as this process knows. */
export function isAccepted(known: Known, id: string): boolean {
	settle(known, id);
	return known.get('event', id) !== undefined;
}

/**
 * Whether a delivery is the first of its event. A second one of an event that is under way waits for what becomes of the
 * first: it is a repetition if n8n has started the workflow, and fails, so that the service delivers again, if that failed
 * or nobody waits for the answer any more. That holds however long the start takes.
 *
 * An accepted event is repeated by every delivery within the time for which bytes signed at its acceptance would verify, and
 * by every delivery that was signed no later than one that was seen, whatever the clock says.
 *
 * A first delivery is followed from here on, in the same step, so that of two at once exactly one is first.
 *
 * @param signedAt the time in the signature, in seconds since the epoch
 * @param now the clock that signatures are compared with, in milliseconds
 */
export async function judge(
	known: Known,
	{ id, signedAt, now }: { id: string; signedAt: number; now: number },
	response: Responder,
): Promise<Verdict> {
	const start = settle(known, id);
	if (start) {
		await start.settled;
		if (settle(known, id) || !known.get('event', id)) return 'failed';
	}
	const accepted = known.get('event', id);
	if (!accepted || (now >= accepted.until && signedAt > accepted.at)) {
		follow(known, { id, signedAt }, response);
		return 'first';
	}
	// The service does not know that the event arrived, and would replay it at the next start. n8n saves what is written
	// here, because this delivery starts nothing.
	known.add('event', { ...accepted, at: Math.max(accepted.at, signedAt) });
	return 'repetition';
}

/** Follows a delivery that starts the workflow: its event is accepted when n8n has answered that it did. */
export function follow(known: Known, { id, signedAt }: { id: string; signedAt: number }, response: Responder): void {
	const { starts } = known.memory;
	const settled = new Promise<void>((resolve) => {
		response.once('finish', resolve);
		response.once('close', resolve);
	});
	starts.set(id, { signedAt, response, settled });
	forgetOldest(starts, MOST_STARTS);
	void settled.then(() => settle(known, id));
}
