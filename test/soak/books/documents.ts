import { calmly } from '../work/calmly';
import type { Document, ServiceClient } from '../../support/serviceClient';
import type { Job } from '../work/jobs';
import { few, type Balance } from './balance';
import type { Failure, Ran } from './executions';
import { groupBy } from './grouping';

interface Page {
	data: Document[];
	has_more: boolean;
	next_cursor: string | null;
}

const MAKERS = ['create', 'template', 'bulk'];

/** Every document that the service has; waits for the rate limit of the soak's own key. */
export async function readDocuments(service: ServiceClient): Promise<Document[]> {
	const all: Document[] = [];
	let cursor = '';
	do {
		const path = `/documents?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
		const page = await calmly(
			'a page of documents',
			async () => await service.api<Page>('GET', path),
		);
		all.push(...page.data);
		cursor = page.next_cursor ?? '';
	} while (cursor);
	return all;
}

/**
 * The documents of the service against those that jobs asked for and that executions say they made:
 * each title once, each success with its own document out, each draft and each document without a
 * success explained by a failure.
 */
export function balanceDocuments(
	documents: readonly Document[],
	jobs: readonly Job[],
	ran: readonly Ran[],
): Balance {
	const wrong: string[] = [];
	const explained: string[] = [];
	const byTitle = groupBy(documents, ({ title }) => title);
	const byJob = groupBy(
		ran.filter(({ job }) => job !== undefined),
		({ job }) => job,
	);
	const asked = new Set(jobs.flatMap(({ titles }) => titles));
	let said = 0;

	for (const [title, same] of byTitle) {
		if (!asked.has(title)) wrong.push(`"${title}" was never asked for`);
		if (same.length > 1)
			wrong.push(
				`"${title}" is there ${same.length} times: ${same.map(({ id }) => id).join(', ')}`,
			);
	}
	for (const job of jobs.filter(({ workflow }) => MAKERS.includes(workflow))) {
		const executions = byJob.get(job.number) ?? [];
		if (executions.length > 1) wrong.push(`job ${job.number} ran ${executions.length} times`);
		const [execution] = executions;
		const made = job.titles.flatMap((title) => byTitle.get(title) ?? []);
		if (execution?.status === 'success') {
			const ids = execution.output.map(({ id }) => String(id));
			said += ids.length;
			if (new Set(ids).size !== job.titles.length) {
				wrong.push(
					`execution ${execution.id} says ${ids.length} documents, job ${job.number} asked for ${job.titles.length}`,
				);
			}
			const missing = ids.filter((id) => !made.some((document) => document.id === id));
			if (missing.length > 0)
				wrong.push(`execution ${execution.id} says ${few(missing)}, which the service has not`);
			const drafts = made.filter(({ status }) => status === 'draft');
			if (drafts.length > 0)
				wrong.push(
					`execution ${execution.id} succeeded and left ${few(drafts.map(({ id }) => id))} a draft`,
				);
			continue;
		}
		for (const document of made) {
			const as = `${document.id} ("${document.title}", ${document.status})`;
			if (!execution) wrong.push(`${as} of job ${job.number}, of which n8n has no execution`);
			else if (execution.status !== 'error')
				explained.push(`${as}: execution ${execution.id} ${execution.status}`);
			else if (isAccountedFor(document, job, execution))
				explained.push(`${as}: execution ${execution.id} failed later, or says so`);
			else
				wrong.push(
					`${as}: execution ${execution.id} failed and does not mention it: ${execution.error?.message}`,
				);
		}
	}
	return {
		what: 'Documents',
		service: `${documents.length} documents`,
		n8n: `${said} by successful executions, ${explained.length} by others`,
		wrong,
		explained,
	};
}

/**
 * Of a failed execution: an earlier item made it, or the message names it or leaves open whether it
 * was made.
 */
function isAccountedFor({ id, title }: Document, { titles }: Job, { error }: Ran): boolean {
	if (!error) return false;
	const text = `${error.message} ${error.description}`;
	return (
		titles.indexOf(title) < error.itemIndex ||
		text.includes(id) ||
		isInDoubt(text, titles, title, error)
	);
}

function isInDoubt(
	text: string,
	titles: readonly string[],
	title: string,
	{ itemIndex }: Failure,
): boolean {
	return (
		titles.indexOf(title) === itemIndex && /may or may not|is not known|is not clear/.test(text)
	);
}
