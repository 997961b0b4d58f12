import type { RecordingProxy } from '../../support/recordingProxy';
import type { LedgerEvent } from '../setting/eventLedger';
import type { Absence } from '../setting/operator';
import { EVENTS_OF, type EventWorkflow } from '../setting/workflows';
import { few, type Balance } from './balance';
import type { Ran } from './executions';
import { groupBy } from './grouping';

interface Told {
	events: readonly LedgerEvent[];
	ran: readonly Ran[];
	/** n8n's whole log. */
	logs: string;
	absences: readonly Absence[];
	deliveries: RecordingProxy['exchanges'];
}

/** A stretch of time that n8n's log names for reconciling. */
interface Span {
	from: number;
	until: number;
}

/**
 * The events of the service against the executions of one trigger: each once. What the service has
 * dropped must be named in n8n's log, by itself or within a span of time to reconcile. An event may
 * run twice only if n8n was killed between starting the execution and answering, so that the
 * service delivered it again to an n8n that could not know.
 */
export function balanceEvents(workflow: EventWorkflow, told: Told): Balance {
	const { events, ran, logs, absences, deliveries } = told;
	const emitted = new Map(
		events.filter(({ event }) => EVENTS_OF[workflow].includes(event)).map((one) => [one.id, one]),
	);
	const own = ran.filter((execution) => execution.workflow === workflow);
	const byEvent = groupBy(own, ({ eventId }) => eventId);
	const endpoints = endpointsOf(workflow, logs);
	const named = namedIn(logs, endpoints);
	const spans = spansOf(logs, endpoints);
	const kills = absences.filter(({ how }) => how === 'kill');
	const wrong: string[] = [];
	const explained: string[] = [];

	for (const { id, event, documentId, at } of emitted.values()) {
		const as = `${event} ${id} of ${documentId} at ${new Date(at).toISOString()}`;
		const [first, ...more] = byEvent.get(id) ?? [];
		if (!first) {
			if (named.has(id)) explained.push(`${as}: dropped by the service, named in n8n's log`);
			else if (spans.some(({ from, until }) => at >= from && at <= until)) {
				explained.push(`${as}: dropped by the service, within a span in n8n's log`);
			} else wrong.push(`${as} never ran: ${attemptsOf(id, deliveries)}`);
			continue;
		}
		for (const again of more) {
			const line = `${as} ran as executions ${first.id} and ${again.id}`;
			const isKilled = kills.some(
				({ from, until }) => from >= first.startedAt && until <= again.startedAt,
			);
			if (isKilled) explained.push(`${line}: n8n was killed between`);
			else wrong.push(`${line}: ${attemptsOf(id, deliveries)}`);
		}
	}
	for (const { id, status, eventId } of own) {
		if (!emitted.has(eventId ?? ''))
			wrong.push(`execution ${id} (${status}) shows no event that the service emitted`);
	}
	const dropped = [...emitted.keys()].filter((id) => !byEvent.has(id)).length;
	if (dropped > emitted.size / 2)
		wrong.push(`${dropped} events are lost, too many for this to show anything`);
	return {
		what: `Events, ${workflow}`,
		service: `${emitted.size} events emitted`,
		n8n: `${byEvent.size} in ${own.length} executions, ${explained.length} explained`,
		wrong,
		explained,
	};
}

/** How the deliveries of an event went, for whoever looks into it. */
function attemptsOf(eventId: string, deliveries: Told['deliveries']): string {
	const attempts = deliveries.filter(({ headers }) => headers['x-esign-event-id'] === eventId);
	return few(
		attempts.map(
			({ path, status, answer }) => `${path} ${status} ${answer.toString().slice(0, 60)}`,
		),
		8,
	);
}

/** The events that n8n's log says never arrived at one of these endpoints. */
function namedIn(logs: string, endpoints: ReadonlySet<string>): Set<string> {
	const lines = [...logs.matchAll(/webhook (whk_\w+) never arrived: \S+ (evt_\w+)/g)];
	return new Set(
		lines.filter(([, endpoint = '']) => endpoints.has(endpoint)).map(([, , id = '']) => id),
	);
}

/** The webhook endpoints that this trigger has had, by n8n's log. */
function endpointsOf(workflow: EventWorkflow, logs: string): Set<string> {
	const wanted = [...EVENTS_OF[workflow]].sort().join();
	const registered = [...logs.matchAll(/webhook (whk_\w+) is registered for ([\w., ]+\w)/g)];
	return new Set(
		registered
			.filter(([, , events = '']) => events.split(', ').sort().join() === wanted)
			.map(([, id = '']) => id),
	);
}

function spansOf(logs: string, endpoints: ReadonlySet<string>): Span[] {
	return [...logs.matchAll(/webhook (whk_\w+)[^\n]*?changed between (\S+Z) and (\S+Z)/g)]
		.filter(([, endpoint = '']) => endpoints.has(endpoint))
		.map(([, , from = '', until = '']) => ({ from: Date.parse(from), until: Date.parse(until) }));
}
