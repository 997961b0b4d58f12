import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/processes/until';
import type { Scene } from '../setting/scene';
import type { Chance } from '../work/chance';
import type { Jobs } from '../work/jobs';
import type { People } from '../work/people';
import type { FaultJournal } from './journal';

/** What the larger faults act on. */
export interface Stage {
	scene: Scene;
	people: People;
	jobs: Jobs;
	journal: FaultJournal;
	chance: Chance;
}

type Outage = (stage: Stage) => Promise<void>;

/**
 * Enough documents, of two signers each, that their events fail twenty deliveries in a row at each
 * endpoint.
 */
const HELD_FOR_DISABLING = 9;
const DELIVERY_PATIENCE_MS = 17_000;

/** n8n goes, some people sign while it is away, and it comes back. */
const restart =
	(how: 'stop' | 'kill'): Outage =>
	async ({ scene, people, jobs, journal }) => {
		jobs.halt();
		await people.rest();
		const name = how === 'stop' ? 'n8n restarted (SIGTERM)' : 'n8n killed (SIGKILL)';
		await journal.during(name, ['n8n away', 'broken connection'], async () => {
			await scene.operator.restart(how, async () => await people.actOnHeld(2, 'decline'));
		});
		jobs.resume();
		people.wake();
	};

/**
 * So much happens while nothing gets through to n8n that the service switches its endpoints off;
 * n8n is restarted.
 */
const disable: Outage = async ({ scene, people, jobs, journal }) => {
	if (people.stock < HELD_FOR_DISABLING) await jobs.start('bulk');
	await until(
		'documents that nobody has touched',
		async () => people.stock >= HELD_FOR_DISABLING || undefined,
		180_000,
	);
	jobs.halt();
	await people.rest();
	await journal.during(
		'endpoints disabled by the service',
		['n8n away', 'broken connection'],
		async () => {
			scene.deliveries.set('down');
			await people.actOnHeld(HELD_FOR_DISABLING - 1, 'sign');
			await pause(DELIVERY_PATIENCE_MS);
			scene.deliveries.set('open');
			// The service drops these: they are in no log.
			await people.actOnHeld(1, 'sign');
			await pause(2_000);
			await scene.operator.restart('stop');
		},
	);
	jobs.resume();
	people.wake();
};

const keyRefused: Outage = async ({ scene: { operator }, journal, chance }) => {
	const name = chance.pick(['create', 'template', 'bulk', 'follow-up', 'files']);
	await journal.during('a key refused, then renewed', ['key refused'], async () => {
		await operator.revokeKey(name);
		await pause(chance.between(3_000, 8_000));
		await operator.renewKey(name);
	});
};

const addressRefused: Outage = async ({ scene: { service }, journal, chance }) => {
	await journal.during("n8n's address refused", ['address refused'], async () => {
		await service.control.workspace({ ip_allowlist: ['192.0.2.0/24'] });
		await pause(chance.between(2_000, 4_000));
		await service.control.workspace({ ip_allowlist: [] });
	});
};

const callsDown: Outage = async ({ scene: { calls }, journal, chance }) => {
	await journal.during('the way to the service cut', ['broken connection'], async () => {
		calls.set('down');
		// The longest outlast the tries of a call.
		await pause(chance.between(2_000, 25_000));
		calls.set('open');
	});
};

const callsLate: Outage = async ({ scene: { calls }, journal, chance }) => {
	await journal.during("the service's answers held up", ['too slow'], async () => {
		calls.set('late');
		await pause(chance.between(3_000, 12_000));
		calls.set('open');
	});
};

/**
 * Short, so that the next attempt arrives: fewer failures in a row than make the service give an
 * endpoint up.
 */
const deliveriesDown: Outage = async ({ scene: { deliveries }, people, journal }) => {
	await people.rest();
	await journal.during('the way to n8n cut', [], async () => {
		deliveries.set('down');
		await people.actOnHeld(1, 'sign');
		await pause(3_000);
		deliveries.set('open');
	});
	people.wake();
};

/**
 * Longer than the service waits for an answer: n8n has accepted what the service delivers again.
 */
const deliveriesLate: Outage = async ({ scene: { deliveries }, people, journal }) => {
	await people.rest();
	await journal.during("n8n's answers lost", [], async () => {
		deliveries.set('late');
		await people.actOnHeld(1, 'sign');
		await pause(12_000);
		deliveries.set('open');
	});
	people.wake();
};

const STEADY: readonly Outage[] = [
	keyRefused,
	addressRefused,
	callsDown,
	callsLate,
	deliveriesDown,
	deliveriesLate,
];
const WITH_RESTARTS: readonly Outage[] = [...STEADY, restart('stop'), restart('kill'), disable];

/**
 * One large fault after another, never two at once.
 *
 * @param restartsEnd until when n8n itself is restarted and killed; its memory is compared over
 * what follows
 * @param gapMs quiet time between two of them
 */
export async function causeOutages(
	stage: Stage,
	restartsEnd: number,
	end: number,
	gapMs: number,
): Promise<void> {
	const early = stage.chance.deal(WITH_RESTARTS);
	const late = stage.chance.deal(STEADY);
	await pause(gapMs);
	while (Date.now() < end) {
		const outage = Date.now() < restartsEnd ? early.next().value : late.next().value;
		await outage(stage);
		await pause(gapMs);
	}
}
