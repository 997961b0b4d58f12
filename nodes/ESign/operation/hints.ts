import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { CANCELLED, client, listed, runOf, serviceOf, type Document, type Words } from '../client';
import type { Item } from './parameters';

const DRAFTS: Words = (ids) =>
	ids.length === 1
		? `The draft ${ids[0]} was created, not sent. Document > Send sends it.`
		: `${ids.length} drafts were created, not sent: ${listed(ids)}. Document > Send sends them.`;

const TEST: Words = () => 'This is a test key: no emails are sent, and nothing is billed';

/**
 * Called where something was sent: with a test key it reaches nobody (docs/service.md section 1).
 */
export async function hintAtTestKey(context: IExecuteFunctions): Promise<void> {
	if ((await serviceOf(context)).isTest) runOf(context).hintAt(TEST, '', 'info');
}

/**
 * Called where a document was made. If nobody was asked to sign it, this says so: nothing but its
 * status shows that otherwise.
 */
export async function hintAtMade(
	context: IExecuteFunctions,
	{ id, status }: Document,
	send: boolean,
): Promise<void> {
	if (send) await hintAtTestKey(context);
	else if (status === 'draft') runOf(context).hintAt(DRAFTS, id, 'info');
}

/** What earlier tries have done is not done again. */
export const DONE: Words = (names) => already(names, 'item', ['carried out', 'carry it out']);

export const SENT: Words = (names) => already(names, 'document', ['sent', 'send it']);

function already(names: readonly string[], what: string, [done, doing]: [string, string]): string {
	const isOne = names.length === 1;
	const were = isOne ? `1 ${what} was` : `${names.length} ${what}s were`;
	const anew = `If ${isOne ? 'it was' : 'any was'} changed since: to ${doing} as it is now`;
	return `${were} already ${done} by an earlier try and ${isOne ? 'is' : 'are'} not ${done} again: ${listed(names)}. ${anew}, start a new execution with it alone.`;
}

export function wasSent([first]: readonly INodeExecutionData[]): boolean {
	return first?.json.status === 'in_progress';
}

/** How far a run of several items has come that ends here, and how the rest is carried out. */
export function progressOf(
	context: IExecuteFunctions,
	outputs: readonly INodeExecutionData[][],
): string {
	const count = context.getInputData().length;
	const through = outputs.length;
	if (count < 2 || through === 0) return '';
	const [what, done] = outputs.every(wasSent) ? ['documents', 'sent'] : ['items', 'carried out'];
	const soFar = `${through} of ${count} ${what} were ${done}.`;
	if (context.getExecutionCancelSignal()?.aborted) {
		return `${soFar} ${CANCELLED} Without it, they are ${done} again.`;
	}
	// A retry of the workflow that called it is another call, which does all of it again.
	const isCalled = context.getMode() === 'integrated';
	const whose = isCalled ? ' of this sub-workflow, not of the workflow that called it,' : '';
	const again = `retry the execution${whose} with the currently saved workflow: only the rest is ${done}. Do not execute the workflow anew: all would be ${done} again, unless Skip If Created Within is set.`;
	const row =
		'A retry keeps the input of this node. If a row of it is wrong, first set On Error to Continue: the retry then leaves the row out, and it can go alone in a new execution.';
	return `${soFar} Solve the problem, save the workflow (n8n 2 does that by itself), and ${again}\n${row}`;
}

/**
 * Says how long a run takes whose items need more requests than the service lets through in a
 * minute (docs/service.md section 8). Called after an item is done. The first may have read or
 * uploaded something for all: the next shows what each takes. Where no answer names a limit,
 * nothing slows the run down.
 *
 * n8n shows hints when the node is through. At once it stands in n8n's log, and of a manual run in
 * the console of the browser.
 */
export async function announceLongRun({ context, index }: Item): Promise<void> {
	const run = runOf(context);
	if (index === 0 || run.requests.size < 2 || run.isAnnounced) return;
	const limit = await client.requestLimit(context);
	// What an earlier try has done takes none.
	const items = context.getInputData().length - Math.max(0, index + 1 - run.requests.size);
	const each = run.requests.get(index) ?? 0;
	if (!limit || items * each <= limit) return;
	run.isAnnounced = true;
	const minutes = Math.ceil((items * each) / limit);
	const requestsEach = `${each} ${each === 1 ? 'request' : 'requests'} each`;
	const message = `${items} items, ${requestsEach}: about ${minutes} minutes at ${limit} requests a minute`;
	context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
	context.sendMessageToUI(message);
	context.logger.info(message);
}
