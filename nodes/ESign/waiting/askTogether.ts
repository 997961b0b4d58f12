import { client, asThrown, forgetOldest, serviceOf, type ApiContext } from '../client';

/** From the beginning of one round to the next, if the key has a rate limit. */
const APART_MS = 5_000;

/** Rounds of how many API keys are remembered. */
const MAX_KEYS = 100;

/** What several executions ask for, and what comes of it. */
interface Round {
	wants: unknown[];
	result: Promise<unknown>;
}

/** For each API key and what is asked of it: the round that has not begun, and the end of the last one that was planned. */
const rounds = new Map<string, { next?: Round; last: Promise<unknown>; begunAt: number }>();

/**
 * Asks the service, after the call, for what several executions of this process want: what comes while one round is under way
 * is asked for in the next. Each alone would use up the rate limit (docs/service.md section 8).
 *
 * @param ask asks for all of them; of each call of it, `wants` may hold those of other executions
 * @throws what `ask` throws for the execution's own want
 */
export async function askTogether<Want, Result>(
	context: ApiContext,
	what: string,
	want: Want,
	ask: (wants: Want[]) => Promise<Result>,
): Promise<Result> {
	const id = `${what} ${(await serviceOf(context)).keyId}`;
	const ofKey = rounds.get(id) ?? { last: Promise.resolve(), begunAt: -Infinity };
	rounds.set(id, ofKey);
	forgetOldest(rounds, MAX_KEYS);
	if (!ofKey.next) {
		const wants: Want[] = [];
		const result = ofKey.last.then(async () => {
			const isLimited = (await client.requestLimit(context).catch(() => undefined)) !== undefined;
			if (isLimited) await client.pause(Math.min(APART_MS, ofKey.begunAt + APART_MS - client.now()));
			Object.assign(ofKey, { next: undefined, begunAt: client.now() });
			return await ask(wants);
		});
		ofKey.next = { wants, result };
		ofKey.last = result.catch(() => undefined);
	}
	const round = ofKey.next;
	round.wants.push(want);
	try {
		return (await round.result) as Result;
	} catch (error) {
		if (round.wants.length === 1) throw asThrown(error);
		// The execution that asked was cancelled, or the service refuses what another wants.
		return await ask([want]);
	}
}
