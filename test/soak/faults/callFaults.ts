import { setTimeout as pause } from 'node:timers/promises';
import type { Control } from '../../../sandbox/controls/client';
import { FAULTS } from '../../client/support/faults';
import type { Chance } from '../work/chance';
import type { Effect, FaultJournal } from './journal';

type Fault = Parameters<Control['fault']>[0];
type Kind = Omit<Fault, 'method' | 'path' | 'times'>;

/** What single calls meet: the matrix of the client's tests, and answers that take seconds. */
const KINDS: Record<string, Kind> = {
	...FAULTS,
	'503 before its effect': { when: 'before', kind: 'status', status: 503 },
	'a slow answer': { when: 'after', kind: 'delay', delay_ms: 3_000 },
	// Longer than a call is waited for.
	'a timeout after its effect': { when: 'after', kind: 'delay', delay_ms: 33_000 },
};

/**
 * Made seldom, and never again after a fault: more than one at a time would let no reminder
 * through.
 */
const REMINDER: readonly [Fault['method'], string] = ['POST', '/documents/*/remind'];

/**
 * Whom they meet: the calls of the workflows. Not the reading of single documents, which the
 * recipients do too.
 */
const CALLS: ReadonlyArray<[Fault['method'], string]> = [
	['POST', '/files'],
	['POST', '/documents'],
	['POST', '/documents'],
	['PUT', '/documents/*/fields'],
	['POST', '/documents/*/send'],
	['POST', '/templates/*/send'],
	['POST', '/templates/*/send'],
	['POST', '/templates/*/send'],
	['GET', '/documents'],
	['GET', '/documents/*/files/*'],
	['GET', '/documents/*/files/*'],
	['GET', '/webhooks'],
	['GET', '/webhooks/*/deliveries'],
	['POST', '/webhooks/*/deliveries/*/replay'],
	[...REMINDER],
];

/** Mostly single ones; the long ones outlast the tries of a call. */
const TIMES = [1, 1, 1, 1, 1, 2, 2, 3, 8];

const EVERY_MS = 5_000;
/**
 * How long after a fault was laid out a call may still fail of it: waiting to be met, six tries
 * with pauses, and looks for what a lost answer has left, which come until 75 seconds after each of
 * two sends.
 */
const AFTERMATH_MS = 400_000;

function effectsOf({ kind, status }: Kind): readonly Effect[] {
	if (kind === 'drop') return ['broken connection'];
	if (kind === 'delay') return ['too slow'];
	return status === 429 ? [] : ['server error'];
}

/** Lays out faults at a steady pace until `end`, for whichever calls come next. */
export async function disturbCalls(
	control: Control,
	journal: FaultJournal,
	chance: Chance,
	end: number,
): Promise<void> {
	const kinds = chance.deal(Object.entries(KINDS));
	const calls = chance.deal(CALLS);
	for (let due = Date.now() + EVERY_MS; due < end; due += EVERY_MS) {
		await pause(Math.max(0, due - Date.now()));
		const [name, kind] = kinds.next().value;
		const [method, path] = calls.next().value;
		const isTimeout = kind.kind === 'delay' && (kind.delay_ms ?? 0) > 30_000;
		const times = isTimeout || path === REMINDER[1] ? 1 : chance.pick(TIMES);
		await control.fault({ method, path, times, ...kind });
		journal.note(name, effectsOf(kind), Date.now() + AFTERMATH_MS);
	}
}
