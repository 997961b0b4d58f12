import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { ENDING_EVENTS } from '../../../service/ending';
import { apiRequest, type WaitAnswer, type WaitRequest, type WebhookEndpoint } from '../../../transport';
import { tellTrigger } from './tellTrigger';

const WHAT_TO_DO =
	'Publish (activate) a workflow in this n8n with an eSign Trigger that has the same API key and these events: Document Completed, Document Declined, Document Cancelled and Document Expired. It may hold that node alone. Then run this workflow again; nothing waits yet.';

const REFUSALS: Record<Exclude<WaitAnswer, 'taken' | 'stored'>, string> = {
	'not published': 'only listens for a test event',
	'other n8n': 'belongs to another n8n',
	full: 'has as many executions waiting as it can hold: 1,000, or fewer with many documents each',
};

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

const isTaken = (answer: WaitAnswer | { obstacle: string }): answer is 'taken' | 'stored' =>
	answer === 'taken' || answer === 'stored';

/**
 * Finds the active eSign Triggers of this n8n with the events that end a document, and tells each which documents wake the
 * execution: one may be unpublished while that sleeps, and the next then wakes it. One request of the service.
 *
 * @returns the URLs of those that have taken it; the first one is to wake the execution
 * @throws NodeOperationError there is none; says what to publish
 */
export async function arrange(context: IExecuteFunctions, request: WaitRequest): Promise<string[]> {
	const { origin } = new URL(request.resumeUrl);
	const { data: endpoints } = await apiRequest(context, 'GET /webhooks', { itemIndex: 0 });
	const here = endpoints.filter(({ url }) => isAt(url, origin));
	const obstacles: string[] = [];
	const takers: string[] = [];
	for (const endpoint of here) {
		const reason = unfit(endpoint);
		if (reason) {
			obstacles.push(`the one at ${endpoint.url} ${reason}`);
			continue;
		}
		const isFirst = takers.length === 0;
		const answer = await tellTrigger(context, endpoint.url, { ...request, order: takers.length }, isFirst);
		if (isTaken(answer)) takers.push(endpoint.url);
		else if (typeof answer !== 'string') obstacles.push(answer.obstacle);
		else obstacles.push(`the one at ${endpoint.url} ${REFUSALS[answer]}`);
	}
	if (takers.length > 0) return takers;
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
