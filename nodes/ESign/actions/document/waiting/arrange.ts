import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { ENDING_EVENTS } from '../../../service/ending';
import {
	apiRequest,
	askTrigger,
	newMessage,
	pause,
	sharedSecret,
	type WaitAnswer,
	type WaitRequest,
	type WebhookEndpoint,
} from '../../../transport';

const WHAT_TO_DO =
	'Publish (activate) a workflow in this n8n with an eSign Trigger that has the same API key and these events: Document Completed, Document Declined, Document Cancelled and Document Expired. It may hold that node alone. Then run this workflow again; nothing waits yet.';

/** n8n may have saved, over the trigger's note, what a request that began earlier has written. */
const MOST_CONFIRMATIONS = 6;
const CONFIRM_AGAIN_MS = 250;

const REFUSALS: Record<Exclude<WaitAnswer, 'taken' | 'stored'>, string> = {
	'not published': 'only listens for a test event',
	'other n8n': 'belongs to another n8n',
	full: 'has as many executions waiting as it can hold: 1,000, or fewer with many documents each',
};

/** The trigger that wakes an execution. */
export interface Waker {
	tell: (request: WaitRequest) => Promise<WaitAnswer | { obstacle: string }>;
}

const missingEvents = ({ events }: WebhookEndpoint) =>
	ENDING_EVENTS.filter((event) => !(events as string[]).includes(event));

/** Why an endpoint at the address of this n8n cannot wake anybody; undefined if it can. */
function unfit(endpoint: WebhookEndpoint): string | undefined {
	const missing = missingEvents(endpoint);
	if (endpoint.status !== 'ACTIVE') return 'has been switched off by the service';
	if (missing.length > 0) return `does not listen for ${missing.join(', ')}`;
	return undefined;
}

const isAt = (url: string, origin: string) => URL.canParse(url) && new URL(url).origin === origin;

/**
 * Finds an active eSign Trigger of this n8n with the events that end a document, and tells it which documents wake the
 * execution. One request of the service.
 *
 * @throws NodeOperationError there is none; says what to publish
 */
export async function arrange(context: IExecuteFunctions, request: WaitRequest): Promise<Waker> {
	const { origin } = new URL(request.resumeUrl);
	const { data: endpoints } = await apiRequest(context, 'GET /webhooks', { itemIndex: 0 });
	const here = endpoints.filter(({ url }) => isAt(url, origin));
	const obstacles: string[] = [];
	for (const endpoint of here) {
		const reason = unfit(endpoint);
		if (reason) {
			obstacles.push(`the one at ${endpoint.url} ${reason}`);
			continue;
		}
		const tell = teller(context, endpoint.url);
		const answer = await tell(request);
		if (answer === 'taken' || answer === 'stored') return { tell };
		obstacles.push(
			typeof answer === 'string' ? `the one at ${endpoint.url} ${REFUSALS[answer]}` : `${answer.obstacle}`,
		);
	}
	const elsewhere = endpoints.filter(({ url }) => !isAt(url, origin)).map(({ url }) => url);
	const why =
		obstacles.length > 0
			? obstacles.join('; ')
			: `there is no webhook of this API key at ${origin}${elsewhere.length > 0 ? `, only at ${elsewhere.join(', ')}` : ''}`;
	throw new NodeOperationError(context.getNode(), 'No active eSign Trigger of this n8n can wake the execution', {
		itemIndex: 0,
		description: `${WHAT_TO_DO} What was found: ${why}.`,
	});
}

function teller(context: IExecuteFunctions, url: string): Waker['tell'] {
	return async (wait) => {
		const reply = await askTrigger(context, url, newMessage({ wait }), await sharedSecret(context), {
			signal: context.getExecutionCancelSignal(),
		});
		if ('obstacle' in reply) return reply;
		return reply.answer.wait ?? { obstacle: `${url} does not take executions that wait` };
	};
}

/**
 * Makes sure that n8n has saved the trigger's note, with the documents that are still open: of requests that write at the
 * same moment, n8n may keep the one that began earlier.
 *
 * @returns whether it has; the process of the trigger knows it all the same, and its hourly look saves it again
 */
export async function confirm({ tell }: Waker, request: WaitRequest): Promise<boolean> {
	for (let times = 1; times <= MOST_CONFIRMATIONS; times++) {
		if ((await tell(request)) === 'stored') return true;
		await pause(CONFIRM_AGAIN_MS * times * (0.5 + Math.random()));
	}
	return false;
}
