import { NEVER_MS, type Fault } from '../../client/support/faults';
import type { FaultyService } from './faultyService';

/** Endpoints by method and path as the sandbox's fault control takes them. */
export type Target = readonly ['GET' | 'POST' | 'PUT', string];

export type Random = () => number;

export const pick = <T>(random: Random, ...choices: readonly T[]): T =>
	choices[Math.floor(random() * choices.length)] as T;

/** What is put in the way of one batch; told with a failed expectation, so that it can be seen what went wrong. */
export type Schedule = Array<Fault & { method: string; path: string; times: number }>;

/**
 * One to six faults on the endpoints given, each of which fails some calls in a row. A delay that outlasts the timeout
 * comes after the effect: a service that carries a call out long after the connection has ended would outwit anybody.
 */
export async function disturbAtRandom(
	{ sandbox }: FaultyService,
	random: Random,
	targets: readonly Target[],
): Promise<Schedule> {
	const schedule: Schedule = [];
	const faults = pick(random, 1, 2, 3, 4, 5, 6);
	for (let number = 0; number < faults; number++) {
		const [method, path] = pick(random, ...targets);
		const when = pick(random, 'before' as const, 'after' as const);
		const times = pick(random, 1, 1, 1, 2, 3, 5);
		const kind = pick(
			random,
			'status',
			'status',
			'status',
			'drop',
			'drop',
			'limit',
			...(number === 0 ? ['timeout'] : []),
		);
		const faultOf: Record<string, Fault> = {
			status: { when, kind: 'status', status: pick(random, 500, 502, 503) },
			drop: { when, kind: 'drop' },
			limit: { when: 'before', kind: 'status', status: 429 },
			timeout: { when: 'after', kind: 'delay', delay_ms: NEVER_MS },
		};
		const fault = { ...(faultOf[kind] as Fault), method, path, times: kind === 'timeout' ? 1 : times };
		await sandbox.control.fault(fault);
		schedule.push(fault);
	}
	return schedule;
}
