import type { IWebhookFunctions } from 'n8n-workflow';
import type { WaitAnswer, WaitRequest } from '../../transport';
import type { Known } from '../known';
import { READ, type WaitingExecution } from '../members';
import { allWaiting, LONGEST_WAIT_MS, tidy, withOpen } from './waiting';

/** Executions that wait at one time. */
const MOST_WAITING = 1_000;

/** What they take in static data, which n8n saves as a whole, in characters. */
const MOST_TEXT = 500_000;

/** n8n looks once a minute which executions go on by themselves; the trigger's own look comes once an hour. */
const AFTER_LIMIT_MS = 3_600_000;

/** Whether an address wakes an execution of this n8n: it is n8n itself that says where its waiting executions are called. */
function isOwn(context: IWebhookFunctions, { execution, resumeUrl, instance }: WaitRequest): boolean {
	const own = String(context.evaluateExpression('{{ $execution.resumeUrl }}'));
	if (instance !== context.getInstanceId() || !URL.canParse(own) || !URL.canParse(resumeUrl)) return false;
	const { origin, pathname } = new URL(own);
	const base = pathname.slice(0, pathname.lastIndexOf('/') + 1);
	const asked = new URL(resumeUrl);
	return asked.origin === origin && asked.pathname === `${base}${encodeURIComponent(execution)}`;
}

/** A request read with suspicion: it comes from another process. */
function waitIn({ key, execution, resumeUrl, documents, until, order }: WaitRequest): WaitingExecution | undefined {
	const at = Date.now();
	const last = typeof until === 'number' ? until + AFTER_LIMIT_MS : at + LONGEST_WAIT_MS;
	return READ.wait({ id: execution, key, url: resumeUrl, documents, order, until: last, at });
}

/**
 * Takes note of an execution that waits, or that does not wait any more. `stored` says that n8n has saved it before this
 * request: of what two requests write at once, it may save one only.
 */
export function takeWait(context: IWebhookFunctions, known: Known, request: WaitRequest): WaitAnswer {
	// A test listener ends with its first event.
	if (context.getMode() === 'manual') return 'not published';
	const wait = waitIn(request);
	if (!wait || !isOwn(context, request)) return 'other n8n';
	tidy(known);

	const held = known.get('wait', wait.id);
	if (held?.key === wait.key) {
		// What is known to have ended does not open again.
		const open = held.documents.filter((id) => wait.documents.includes(id));
		const isStored = known.isStored('wait', held);
		known.add('wait', open.length < held.documents.length ? withOpen(held, open) : held);
		return isStored ? 'stored' : 'taken';
	}
	if (wait.documents.length === 0) return 'taken';
	const others = allWaiting(known).filter(({ id }) => id !== wait.id);
	if (others.length >= MOST_WAITING || JSON.stringify([...others, wait]).length > MOST_TEXT) return 'full';
	known.add('wait', { ...wait, at: Math.max(wait.at, (held?.at ?? 0) + 1) });
	// An earlier request may have been saved without the others, because it began before them.
	for (const one of known.all('wait')) known.add('wait', one);
	return 'taken';
}
