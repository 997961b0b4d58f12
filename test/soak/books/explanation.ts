import type { Effect, FaultJournal } from '../faults/journal';
import type { Absence } from '../setting/operator';
import type { Ran } from './executions';

/** What the words of a failure say has gone wrong. The first that fits counts. */
const SIGNS: ReadonlyArray<[RegExp, Effect]> = [
	[/status 5\d\d/, 'server error'],
	[/did not answer in time/, 'too slow'],
	[/connection broke|nothing listens/, 'broken connection'],
];
/** A refusal comes from the service itself. */
const REFUSALS: Record<string, Effect> = { 401: 'key refused', 403: 'address refused' };

/** n8n's word for an execution that it was not there to finish. */
const BROKEN_OFF = ['crashed', 'canceled'];

/**
 * Why an execution has not succeeded: the fault that did it.
 *
 * @returns undefined if no fault explains it, or if its message does not say what to do
 */
export function explanationOf(
	ran: Ran,
	journal: FaultJournal,
	absences: readonly Absence[],
): string | undefined {
	if (BROKEN_OFF.includes(ran.status)) {
		// When n8n writes down that such an execution ended says little: the first absence after its
		// start ended it.
		const absence = absences.find(({ until }) => until >= ran.startedAt);
		return absence && `n8n was ${absence.how === 'kill' ? 'killed' : 'stopped'} meanwhile`;
	}
	if (ran.status !== 'error' || !ran.error?.description) return undefined;
	const { message, description, httpCode } = ran.error;
	const effect =
		REFUSALS[httpCode] ?? SIGNS.find(([sign]) => sign.test(`${message} ${description}`))?.[1];
	const cause =
		effect &&
		journal.within(ran.startedAt, ran.stoppedAt).find(({ effects }) => effects.includes(effect));
	return cause && `${effect} (${cause.name})`;
}
