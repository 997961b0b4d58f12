import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { ENDING_EVENTS } from '../service/ending';
import { client, forgetOldest, serviceOf, type WebhookEndpoint } from '../client';
import { isSilent, newMessage, obstacleIn, post, type WaitAnswer, type WaitRequest } from './message';
import { calledAt, isOfN8n } from './wakeUrl';

/** Many executions that begin at once keep n8n busy for long; whoever gives up then fails, and nobody waits. */
const LONGEST_MS = 30_000;

/** When a trigger is told again that did not answer or has no room yet. The same request twice is one request. */
const AGAIN_AFTER_MS = [1_000, 4_000, 15_000];

/** Executions that begin within this time of each other share one list of the endpoints. */
const SHARED_MS = 5_000;
const MAX_KEYS = 100;

const RETRY =
	'The documents have been sent. %s, then retry this execution (in the editor: execute this step). Running the workflow again would send them again.';

const WHAT_TO_DO = RETRY.replace(
	'%s',
	'Publish (activate) a workflow in this n8n with an eSign Trigger that has the same API key and these events: Document Completed, Document Declined, Document Cancelled and Document Expired. The workflow can consist of just that node',
);

const REFUSALS: Record<Exclude<WaitAnswer, 'taken'>, string> = {
	'not published': 'only listens for a test event',
	'other n8n': 'belongs to another n8n',
	full: 'has as many executions waiting as it can hold: 1,000, or fewer with many documents each',
};

/** The newest list of the endpoints of each API key. */
const lists = new Map<string, { until: number; endpoints: Promise<WebhookEndpoint[]> }>();

/** @returns them, and whether another execution has asked for them, at most seconds ago */
async function listEndpoints(
	context: IExecuteFunctions,
	mayShare: boolean,
): Promise<{ endpoints: WebhookEndpoint[]; isShared: boolean }> {
	const { keyId } = await serviceOf(context);
	for (let held = lists.get(keyId); mayShare && held && held.until > client.now(); held = lists.get(keyId)) {
		try {
			return { endpoints: await held.endpoints, isShared: true };
		} catch {
			// The execution that asked may have been cancelled.
			if (lists.get(keyId) === held) lists.delete(keyId);
		}
	}
	const list = {
		until: Infinity,
		endpoints: client.call(context, 'GET /webhooks', { itemIndex: 0 }).then(({ data }) => data),
	};
	lists.set(keyId, list);
	forgetOldest(lists, MAX_KEYS);
	const endpoints = await list.endpoints;
	list.until = client.now() + SHARED_MS;
	return { endpoints, isShared: false };
}

/** Why an endpoint at the address of this n8n cannot wake anybody; undefined if it can. */
function unfit({ status, events }: WebhookEndpoint): string | undefined {
	const missing = ENDING_EVENTS.filter((event) => !(events as string[]).includes(event));
	if (status !== 'ACTIVE') return 'has been switched off by the service';
	return missing.length > 0 ? `does not listen for ${missing.join(', ')}` : undefined;
}

/** Tells a trigger which documents wake an execution. @returns why it does not take that; undefined if it does */
export async function tellTrigger(
	context: IExecuteFunctions,
	url: string,
	wait: WaitRequest,
	pauses: readonly number[] = AGAIN_AFTER_MS,
): Promise<string | undefined> {
	const signal = context.getExecutionCancelSignal();
	for (let times = 0; ; times++) {
		const reply = await post(context, url, newMessage({ wait }), { timeoutMs: LONGEST_MS, signal });
		const answer = reply.answer?.wait;
		if (answer === 'taken') return undefined;
		const again = pauses[times];
		if (again === undefined || signal?.aborted || (answer !== 'full' && !isSilent(reply))) {
			return answer ? REFUSALS[answer] : obstacleIn(reply);
		}
		await client.pause(again, signal);
	}
}

const isAt = (url: string, origin: string) => URL.canParse(url) && new URL(url).origin === origin;

/**
 * Finds the active eSign Triggers of this n8n with the events that end a document, and tells each which documents wake the
 * execution: one may be unpublished while that sleeps. One request of the service, shared by all that begin within seconds.
 *
 * @returns the URLs of those that have taken it
 * @throws NodeOperationError there is none; says what to publish
 */
export async function registerWithTriggers(
	context: IExecuteFunctions,
	request: WaitRequest,
	resumeUrl: string,
): Promise<string[]> {
	const { origin } = new URL(resumeUrl);
	for (let mayShare = true; ; mayShare = false) {
		const { endpoints, isShared } = await listEndpoints(context, mayShare);
		const obstacles: string[] = [];
		const takers: string[] = [];
		for (const endpoint of endpoints.filter(({ url }) => isAt(url, origin))) {
			const pauses = takers.length === 0 ? AGAIN_AFTER_MS : [];
			const obstacle = unfit(endpoint) ?? (await tellTrigger(context, endpoint.url, request, pauses));
			if (obstacle === undefined) takers.push(endpoint.url);
			else obstacles.push(`the one at ${endpoint.url} ${obstacle}`);
		}
		if (takers.length > 0) return takers;
		// Somebody may have published one since another execution has asked.
		if (isShared) continue;
		const elsewhere = endpoints.filter(({ url }) => !isAt(url, origin)).map(({ url }) => url);
		const why =
			obstacles.join('; ') ||
			`there is no webhook of this API key at ${origin}${elsewhere.length > 0 ? `, only at ${elsewhere.join(', ')}` : ''}`;
		throw new NodeOperationError(context.getNode(), 'No active eSign Trigger of this n8n can wake the execution', {
			itemIndex: 0,
			description: `${WHAT_TO_DO} What was found: ${why}.`,
		});
	}
}

/**
 * Makes sure that n8n can be reached where the trigger will call the execution: what stands in front of n8n may let in the
 * webhooks alone. n8n itself answers that the execution is running.
 *
 * @throws NodeOperationError something else has answered, or nobody
 */
export async function proveWaitingUrl(context: IExecuteFunctions, resumeUrl: string): Promise<void> {
	const signal = context.getExecutionCancelSignal();
	const url = calledAt(resumeUrl);
	for (let times = 0; ; times++) {
		const reply = await post(context, url, newMessage(), { timeoutMs: LONGEST_MS, signal });
		if (isOfN8n(reply)) return;
		const again = AGAIN_AFTER_MS[times];
		if (again !== undefined && !signal?.aborted && isSilent(reply)) {
			await client.pause(again, signal);
			continue;
		}
		const { origin, pathname } = new URL(resumeUrl);
		const path = pathname.slice(0, pathname.lastIndexOf('/') + 1);
		throw new NodeOperationError(context.getNode(), 'n8n cannot be reached where it wakes waiting executions', {
			itemIndex: 0,
			description: `${RETRY.replace('%s', `Let requests to ${path} through to n8n, as those to its webhooks`)} ${origin}${path} ${obstacleIn(reply)}.`,
		});
	}
}
