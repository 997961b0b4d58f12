import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Balance } from './books/balance';
import { identifyCrashed } from './books/crashed';
import { balanceDocuments, readDocuments } from './books/documents';
import { balanceEndpoints } from './books/endpoints';
import { balanceEvents } from './books/events';
import { readExecutions, type Ran } from './books/executions';
import { countOf } from './books/grouping';
import { stuck, waitsOf } from './books/waits';
import {
	balanceDownloads,
	balanceExecutions,
	balanceLists,
	balanceReminders,
} from './books/workBooks';
import type { Stage } from './faults/outages';
import * as report from './report';
import type { Health } from './setting/health';
import { BY_EVENT } from './setting/workflows';

/** A fresh n8n takes on memory until it has done everything once. */
const WARM_UP_MS = 180_000;
/** Less than this says nothing about growth. */
const JUDGED_MINUTES = 8;
const MAX_MEMORY_GROWTH = 1.3;
const MAX_NEW_HANDLES = 30;

/**
 * Balances the books and prints what was done.
 *
 * @param left what n8n has not finished
 * @returns whether all is well
 */
export async function conclude(
	{ scene, people, jobs, journal, health }: Stage & { health: Health },
	left: readonly string[],
): Promise<boolean> {
	const { service, operator, ledger, recorder, n8n } = scene;
	const requests = await service.control.requests();
	const documents = await readDocuments(service);
	const events = [...ledger.events.values()];
	const ran = identifyCrashed(await readExecutions(n8n, scene.workflows), jobs.all, events);
	const { absences, logs } = operator;
	const told = { events, ran, logs, absences, deliveries: recorder.exchanges };
	const balances: Balance[] = [
		balanceDocuments(documents, jobs.all, ran),
		...BY_EVENT.map((name) => balanceEvents(name, told)),
		await balanceEndpoints(service),
		balanceExecutions(ran, jobs.all, left, journal, absences),
		balanceReminders(requests, jobs.all, ran),
		balanceLists(events, ran),
		balanceDownloads(ran),
	];
	const tooLong = stuck(ran, journal);
	// The last absence is that of the restart at the end.
	const from = (absences.at(-2)?.until ?? 0) + WARM_UP_MS;
	const grown = report.growthIn(health.within(from, absences.at(-1)?.from ?? Infinity));
	const isGrown = hasGrown(grown);
	// Single documents are read by the recipients.
	const calls = requests.filter(({ path }) => !/^\/v1\/documents\/[^/]+$/.test(path));

	const parts = [
		report.counts('Jobs', countOf(jobs.all.map(({ workflow }) => workflow))),
		report.counts(
			'Executions',
			countOf(ran.map(({ workflow, status }) => `${workflow}, ${status}`)),
		),
		report.counts('Documents', countOf(documents.map(({ status }) => status))),
		report.counts('What recipients did', Object.entries(people.acts)),
		report.counts('Faults', journal.counts()),
		report.counts(
			"n8n's calls by their answers",
			countOf(calls.map(({ status }) => String(status ?? 'dropped'))),
		),
		report.counts(
			'Deliveries by their answers',
			countOf(recorder.exchanges.map(({ status }) => String(status))),
		),
		report.waits(waitsOf(ran)),
		report.growth(grown),
		report.books(balances),
		...tooLong.map((line) => `  ! Stuck: ${line}`),
		...(isGrown ? ['  ! n8n has grown'] : []),
	];
	console.log(parts.join('\n'));
	console.log(`\nDetails and n8n's log: ${await writeDetails(balances, ran, logs)}\n`);
	return balances.every(({ wrong }) => wrong.length === 0) && tooLong.length === 0 && !isGrown;
}

function hasGrown(grown: report.Growth | undefined): boolean {
	if (!grown || grown.minutes < JUDGED_MINUTES) return false;
	const { memory, handles } = grown;
	return memory[1] > memory[0] * MAX_MEMORY_GROWTH || handles[1] > handles[0] + MAX_NEW_HANDLES;
}

/**
 * What is different for a reason, each with its reason; every execution; n8n's log. @returns the
 * folder
 */
async function writeDetails(
	balances: readonly Balance[],
	ran: readonly Ran[],
	logs: string,
): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-soak-'));
	const explained = balances.map((balance) => [
		`${balance.what}:`,
		...balance.explained.map((line) => `  - ${line}`),
	]);
	await writeFile(join(folder, 'explained.txt'), explained.flat().join('\n'));
	const executions = ran.map(({ output, ...execution }) =>
		JSON.stringify({ ...execution, items: output.length }),
	);
	await writeFile(join(folder, 'executions.jsonl'), executions.join('\n'));
	await writeFile(join(folder, 'n8n.log'), logs);
	return folder;
}
