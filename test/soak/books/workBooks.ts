import type { LedgerEvent } from '../setting/eventLedger';
import type { FaultJournal } from '../faults/journal';
import type { Absence } from '../setting/operator';
import type { LoggedRequest } from '../../../sandbox/http/requestLog';
import type { Job } from '../work/jobs';
import { few, type Balance } from './balance';
import type { Ran } from './executions';
import { explanationOf } from './explanation';
import { groupBy } from './grouping';

/**
 * Every execution has come to an end, and every failure is that of a fault, with words that say
 * what to do.
 */
export function balanceExecutions(
	ran: readonly Ran[],
	jobs: readonly Job[],
	left: readonly string[],
	journal: FaultJournal,
	absences: readonly Absence[],
): Balance {
	const wrong = left.map((line) => `unfinished: ${line}`);
	const explained: string[] = [];
	for (const execution of ran.filter(({ status }) => status !== 'success')) {
		const reason = explanationOf(execution, journal, absences);
		const { error } = execution;
		const as = `${execution.workflow} ${execution.id} ${execution.status}${error ? `: ${error.message} | ${error.description}` : ''}`;
		if (reason) explained.push(`${as} <- ${reason}`);
		else wrong.push(as);
	}
	const started = new Set(ran.map(({ job }) => job));
	const accepted = jobs.filter(({ answered }) => answered === 200);
	const lost = accepted.filter(({ number }) => !started.has(number));
	wrong.push(
		...lost.map(({ number, workflow }) => `job ${number} (${workflow}) was accepted and never ran`),
	);
	return {
		what: 'Executions',
		service: `${accepted.length} jobs accepted by n8n`,
		n8n: `${ran.length} executions, ${ran.filter(({ status }) => status === 'success').length} succeeded, ${explained.length} failed of a fault`,
		wrong,
		explained,
	};
}

/**
 * A person gets one reminder at most for each that was asked for, whatever became of its answer.
 */
export function balanceReminders(
	requests: readonly LoggedRequest[],
	jobs: readonly Job[],
	ran: readonly Ran[],
): Balance {
	const asked = jobs.filter(({ workflow }) => workflow === 'remind');
	// A 429 and a refused key or address were certainly not carried out.
	const made = requests.filter(
		({ path, status }) => path.endsWith('/remind') && ![429, 401, 403].includes(status ?? 0),
	);
	const byDocument = groupBy(made, ({ path }) => path);
	const wrong = [...byDocument]
		.filter(([, calls]) => calls.length > 1)
		.map(
			([path, calls]) =>
				`${path} was called ${calls.length} times: ${calls.map(({ status }) => status ?? 'dropped').join(', ')}`,
		);
	const succeeded = ran.filter(
		({ workflow, status }) => workflow === 'remind' && status === 'success',
	);
	const answered = made.filter(({ status }) => status === 200);
	const unanswered = succeeded.filter(({ job }) => {
		const document = asked.find(({ number }) => number === job)?.document;
		return !answered.some(({ path }) => path === `/v1/documents/${document}/remind`);
	});
	wrong.push(
		...unanswered.map(
			({ id }) => `execution ${id} says that it reminded, the service that it was not asked to`,
		),
	);
	return {
		what: 'Reminders',
		service: `${answered.length} carried out and answered, ${made.length - answered.length} with no or a bad answer`,
		n8n: `${asked.length} asked for, ${succeeded.length} succeeded`,
		wrong,
		explained: [],
	};
}

/** Every list names all documents that were out before it began, each once. */
export function balanceLists(events: readonly LedgerEvent[], ran: readonly Ran[]): Balance {
	const lists = ran.filter(({ workflow, status }) => workflow === 'list' && status === 'success');
	const sent = events.filter(({ event }) => event === 'document.sent');
	const wrong: string[] = [];
	for (const { id, startedAt, output } of lists) {
		const ids = output.map((document) => String(document.id));
		const listed = new Set(ids);
		if (listed.size !== ids.length)
			wrong.push(`execution ${id} lists ${ids.length - listed.size} documents twice`);
		const missing = sent.filter(({ at, documentId }) => at < startedAt && !listed.has(documentId));
		if (missing.length > 0)
			wrong.push(`execution ${id} lacks ${few(missing.map(({ documentId }) => documentId))}`);
	}
	return {
		what: 'Lists (Return All)',
		service: `${sent.length} documents sent`,
		n8n: `${lists.length} lists, the longest of ${Math.max(0, ...lists.map(({ output }) => output.length))}`,
		wrong,
		explained: [],
	};
}

/** Every download of a completed document has brought both files. */
export function balanceDownloads(ran: readonly Ran[]): Balance {
	const downloads = ran.filter(
		({ workflow, status }) => workflow === 'fileCompleted' && status === 'success',
	);
	return {
		what: 'Downloads',
		service: `${downloads.length} completed documents told of`,
		n8n: `${downloads.reduce((sum, { binaries }) => sum + binaries, 0)} files`,
		wrong: downloads
			.filter(({ binaries }) => binaries !== 2)
			.map(({ id, binaries }) => `execution ${id} has ${binaries} files`),
		explained: [],
	};
}
