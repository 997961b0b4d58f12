import { setTimeout as realPause } from 'node:timers/promises';
import type { LossyService } from './lossyService';
import { turns } from './patience';

/**
 * Whoever is not asleep does something within so many turns of the event loop. On a busy machine
 * the threads that read and write for them are not reached by turns alone: so others run between.
 */
const QUIET_TURNS = 100;
const QUIET_PAUSES = 60;

type Sleeper = { at: number; wake: () => unknown };

/**
 * Everybody waits at the same time, as by a real clock: where two sleep for 20 and for 12 seconds,
 * 20 have passed. Time passes once everybody is asleep, up to when the first of them wakes.
 */
export async function atOnce(service: LossyService, work: () => Promise<void>): Promise<void> {
	const { clock, requests } = service;
	const { now, sleep, at } = clock;
	const asleep: Sleeper[] = [];
	let time = clock.now();
	let isOver = false;
	clock.now = () => time;
	clock.at = (until, wake) => void asleep.push({ at: until, wake });
	clock.sleep = async (milliseconds) => {
		const until = time + Math.max(0, Math.ceil(milliseconds));
		await new Promise<void>((wake) => clock.at(until, async () => wake()));
	};

	const passTime = async () => {
		while (!isOver) {
			const before = asleep.length + requests.length;
			for (let pause = 0; pause < QUIET_PAUSES; pause++) {
				await turns(QUIET_TURNS);
				await realPause(1);
			}
			if (asleep.length + requests.length > before) continue;
			asleep.sort((one, other) => one.at - other.at);
			const next = asleep.shift();
			if (!next) continue;
			time = Math.max(time, next.at);
			await next.wake();
		}
	};
	const working = work().finally(() => (isOver = true));
	await Promise.all([working, passTime()]).finally(() => {
		Object.assign(clock, { now, sleep, at });
	});
	await clock.sleep(time - clock.now());
	for (const { wake } of asleep) await wake();
}
