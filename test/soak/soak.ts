import { setTimeout as pause } from 'node:timers/promises';
import { settled } from './books/executions';
import { conclude } from './conclusion';
import { disturbCalls } from './faults/callFaults';
import { FaultJournal } from './faults/journal';
import { causeOutages } from './faults/outages';
import { Health } from './setting/health';
import type { Scene } from './setting/scene';
import { Chance } from './work/chance';
import { Jobs } from './work/jobs';
import { People } from './work/people';

export interface SoakOptions {
	minutes: number;
	seed: number;
}

/**
 * The share of the time in which n8n is restarted and killed; its memory is watched over the rest.
 */
const RESTARTS_SHARE = 0.45;
/** The service's last retries, after the last fault. */
const RETRIES_MS = 20_000;
const SETTLING_MS = 240_000;

/**
 * Works and disturbs for so many minutes, lets everything settle, and prints what was done and
 * whether it balances.
 *
 * @returns whether all is well
 */
export async function soak(scene: Scene, { minutes, seed }: SoakOptions): Promise<boolean> {
	const began = Date.now();
	const end = began + minutes * 60_000;
	const restartsEnd = began + minutes * 60_000 * RESTARTS_SHARE;
	console.log(`Soak of ${minutes} minutes, seed ${seed}, until ${new Date(end).toISOString()}`);

	const journal = new FaultJournal();
	const people = new People(scene.service, scene.ledger, seed);
	const jobs = new Jobs(scene, people, new Chance(seed + 1));
	const health = new Health(() => scene.n8n.pid);
	const stage = { scene, people, jobs, journal, chance: new Chance(seed + 2) };
	const gapMs = minutes < 10 ? 4_000 : 15_000;
	await Promise.all([
		jobs.run(end),
		disturbCalls(scene.service.control, journal, new Chance(seed + 3), end),
		causeOutages(stage, restartsEnd, end, gapMs),
	]);

	await scene.service.control.clearFaults();
	await people.done();
	const left = await settled(scene.n8n, scene.workflows, SETTLING_MS);
	// What the last executions sent is signed too.
	await people.done();
	await pause(RETRIES_MS);
	health.stop();
	// What failed three times in a row while n8n was up is fetched at its next start.
	await scene.operator.restart('stop');
	await pause(RETRIES_MS);
	left.push(...(await settled(scene.n8n, scene.workflows, SETTLING_MS)));
	return await conclude({ ...stage, health }, left);
}
