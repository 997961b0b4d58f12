import { setTimeout as pause } from 'node:timers/promises';
import { withSandbox } from '../test/support/sandboxProcess';
import { forEachOf, type Document, type ServiceClient } from '../test/support/serviceClient';
import { median } from '../test/support/statistics';
import { successes } from './acknowledgement/server';
import { groupCpuMs } from './measure/groupCpu';
import type { Bench, Figure } from './report/figure';
import { asleep, withWakingServer, type WakingServer } from './waking/server';

const OURS = 'Wait for Completion';
const THEIRS = "n8n's Wait node";
/** So slowly that n8n has time in between: a delivery that it refuses is made again later. */
const PER_SECOND = 2;
const PATIENCE_MS = 120_000;

/** CPU time of n8n for each execution, in milliseconds, round by round. */
interface Measured {
	event: number[];
	ours: number[];
	theirs: number[];
}

/**
 * Executions that wait are woken on a real n8n, in turns: ours by events of the service, those of
 * n8n's own Wait node by a POST each. An event also starts an execution of the trigger's workflow,
 * whoever waits: events that nobody waits for are measured as well. The service allows ten requests
 * a minute, as it does.
 */
export const run: Bench = async ({ quick }) => {
	const count = quick ? 10 : 30;
	const rounds = quick ? 1 : 3;
	const measured: Measured = { event: [], ours: [], theirs: [] };
	await withSandbox({ rateLimit: 10 }, async (service) => {
		await withWakingServer(service, async (real) => {
			// The first executions load what later ones find in place.
			await measureRound(service, real, 5, 0);
			for (let round = 1; round <= rounds; round++) {
				const { event, ours, theirs } = await measureRound(service, real, count, round);
				measured.event.push(event);
				measured.ours.push(ours);
				measured.theirs.push(theirs);
			}
		});
	});
	const event = median(measured.event);
	const ours = median(measured.ours) - event;
	const theirs = median(measured.theirs);
	const figures: Figure[] = [
		{
			name: 'CPU for each event that nobody waits for',
			unit: 'ms',
			values: { [OURS]: event },
			meaning:
				"of n8n's processes: the delivery is verified, and starts an execution of the trigger's workflow.",
		},
		{
			name: 'CPU for each execution woken',
			unit: 'ms',
			values: { [OURS]: ours, [THEIRS]: theirs },
			meaning:
				'ours: for each event that somebody waits for, less the figure above. Theirs: for each POST to the address at which the execution resumes.',
		},
		{
			name: "CPU over that of n8n's Wait node",
			unit: 'x',
			values: { [OURS]: ours / theirs, [THEIRS]: 1 },
			target: { atMost: 1.3 },
			meaning: 'ours also reads the document that has ended.',
		},
	];
	const title = `Waking: ${rounds} times ${count} executions that wait, ${PER_SECOND} a second, on a real n8n`;
	return { title, sides: [OURS, THEIRS], figures };
};

/** Wakes so many executions of each side, once all of them wait. */
async function measureRound(
	service: ServiceClient,
	real: WakingServer,
	count: number,
	round: number,
) {
	const { server, triggerId, ours, theirs } = real;
	const events = await before(real, triggerId, count);
	const unawaited = await sendMany(service, count, `Unawaited ${round}`);
	const event = await cpuFor(
		real,
		unawaited,
		async (document) => await decline(service, document),
		events,
	);

	const woken = await before(real, ours.workflowId, count);
	const told = await before(real, triggerId, count);
	const awaited = await sendMany(service, count, `Awaited ${round}`);
	for (const { id } of awaited) await ours.start({ id });
	await asleep(server, ours, count);
	const both = async () => void (await Promise.all([woken(), told()]));
	const forOurs = await cpuFor(
		real,
		awaited,
		async (document) => await decline(service, document),
		both,
	);

	const resumed = await before(real, theirs.workflowId, count);
	for (const { id } of awaited) await theirs.start({ id });
	const ids = await asleep(server, theirs, count);
	const urls = await forEachOf(count, 4, async (index) => await resumeUrl(real, ids[index] ?? ''));
	const forTheirs = await cpuFor(
		real,
		urls,
		async (url) => void (await fetch(url, { method: 'POST' })),
		resumed,
	);
	return { event, ours: forOurs, theirs: forTheirs };
}

/** Waits for the executions of a workflow to be as many more as there are now. */
async function before(
	{ server }: WakingServer,
	workflowId: string,
	more: number,
): Promise<() => Promise<void>> {
	const expected = (await successes(server, workflowId, 0)) + more;
	return async () => {
		const count = await successes(server, workflowId, expected, PATIENCE_MS);
		if (count !== expected) throw new Error(`${count} executions ended, ${expected} should have`);
	};
}

/**
 * CPU time of n8n for each of these, begun at a steady rate, until all that comes of them has
 * ended.
 */
async function cpuFor<T>(
	{ server }: WakingServer,
	these: T[],
	begin: (one: T) => Promise<unknown>,
	ended: () => Promise<void>,
): Promise<number> {
	const cpu = await groupCpuMs(server.pid ?? 0);
	for (const one of these) {
		await begin(one);
		await pause(1000 / PER_SECOND);
	}
	await ended();
	return ((await groupCpuMs(server.pid ?? 0)) - cpu) / these.length;
}

async function resumeUrl({ server }: WakingServer, executionId: string): Promise<string> {
	const { data } = await server.api.execution(executionId);
	return String(data.resultData.runData['Edit Fields']?.[0]?.data?.main?.[0]?.[0]?.json.resumeUrl);
}

async function sendMany(service: ServiceClient, count: number, title: string): Promise<Document[]> {
	return await forEachOf(count, 2, async (index) => {
		// A document takes four requests, and the key of the nodes has ten.
		const sender = await service.withFreshKey();
		const document = await sender.send(`${title}, ${index}`, ['ada@example.com']);
		// A workspace holds at most ten keys.
		await service.control.revokeKey(sender.key);
		return document;
	});
}

async function decline(service: ServiceClient, { recipients }: Document): Promise<void> {
	await service.control.decline(recipients[0]?.id ?? '');
}
