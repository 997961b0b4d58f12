import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { ENDING_EVENTS } from '../service/ending';
import { client, Readings, serviceOf, type ApiContext, type WebhookEndpoint } from '../client';
import {
	obstacleIn,
	post,
	wordsOfN8n,
	type Message,
	type Reply,
	type WaitAnswer,
} from '../messages/message';
import type { WaitingExecution } from '../messages/message';
import { calledAt, relativeTo } from './wakeUrl';

/**
 * The endpoints of the last 100 API keys: what the service has said serves all executions that
 * begin within these seconds.
 */
const listed = new Readings(30_000, 100, () => client.now());

/**
 * The webhooks of a key's mode, and when the service was asked for them, in milliseconds since the
 * epoch.
 */
export type WebhookList = { askedAt: number; data: WebhookEndpoint[] };

/** As the service has last told this process: not before `since`, if that is given. */
export async function listWebhooks(context: ApiContext, since?: number): Promise<WebhookList> {
	const { keyId } = await serviceOf(context);
	// It does not end with the execution that happens to ask first.
	const how = { itemIndex: 0, signal: new AbortController().signal };
	const list = async () => ({
		askedAt: Date.now(),
		...(await client.call(context, 'GET /webhooks', how)),
	});
	return await listed.read(keyId, list, since);
}

/** What a person does about a failure, for the documents are out. */
const thenRetry = (what: string) =>
	`Documents that were sent are out. ${what} Then open Executions, and retry the one that failed. Running the workflow or a step of it again may send them again.`;

const PUBLISH =
	'Publish (activate) a workflow in this n8n with an eSign Trigger that has the same API key and these events: Document Completed, Document Declined, Document Cancelled and Document Expired. The workflow can consist of just that node. If there is one, and the API key in its credential was changed since, unpublish and publish its workflow.';

const REFUSALS: Record<WaitAnswer, string | undefined> = {
	taken: undefined,
	'not published': 'only listens for a test event',
	full: 'has as many executions waiting as it can hold: 1,000, or fewer with many documents each',
};

/** `document.expired` as Document Expired, as the editor shows it. */
const inWords = (event: string) =>
	event.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replace('.', ' ');

/** Why an endpoint at the address of this n8n cannot wake anybody; undefined if it can. */
export function unfit({
	status,
	events,
}: Pick<WebhookEndpoint, 'status' | 'events'>): string | undefined {
	const missing = ENDING_EVENTS.filter((event) => !(events as string[]).includes(event));
	if (status !== 'ACTIVE') return 'has been switched off by the service';
	return missing.length > 0 ? `does not listen for ${missing.map(inWords).join(', ')}` : undefined;
}

async function postPatiently(
	context: IExecuteFunctions,
	url: string,
	content: Partial<Message>,
): Promise<Reply> {
	return await post(context, url, content, {
		isPatient: true,
		abortSignal: context.getExecutionCancelSignal(),
	});
}

/**
 * Tells a trigger which documents wake an execution. @returns why it does not take that; undefined
 * if it does
 */
async function tellTrigger(context: IExecuteFunctions, url: string, request: WaitingExecution) {
	const wait = { ...request, resume: relativeTo(url, request.resume) };
	const reply = await postPatiently(context, url, { wait });
	return reply.answer?.wait ? REFUSALS[reply.answer.wait] : obstacleIn(reply);
}

/** @returns the URLs of those that have taken the request, and why the others have not */
async function tellTriggers(
	context: IExecuteFunctions,
	endpoints: WebhookEndpoint[],
	request: WaitingExecution,
) {
	const { origin } = new URL(request.resume);
	const isHere = ({ url }: WebhookEndpoint) => URL.canParse(url) && new URL(url).origin === origin;
	const tell = async (endpoint: WebhookEndpoint) => {
		const obstacle = unfit(endpoint) ?? (await tellTrigger(context, endpoint.url, request));
		return { url: endpoint.url, obstacle };
	};
	const told = await Promise.all(endpoints.filter(isHere).map(tell));
	const takers = told.filter(({ obstacle }) => obstacle === undefined).map(({ url }) => url);
	const obstacles = told.map(({ url, obstacle }) => `the one at ${url} ${obstacle}`);
	const elsewhere = endpoints.filter((endpoint) => !isHere(endpoint)).map(({ url }) => url);
	const only = elsewhere.length > 0 ? `, only at ${elsewhere.join(', ')}` : '';
	return {
		takers,
		why: obstacles.join('; ') || `there is no webhook of this API key at ${origin}${only}`,
	};
}

/**
 * Finds the active eSign Triggers of this n8n with the events that end a document, and tells each
 * which documents wake the execution: one may be unpublished while that sleeps. One request of the
 * service, shared by all that begin within seconds.
 *
 * @param request with the resume URL as n8n gives it
 * @returns what tells the same triggers that other documents do
 * @throws NodeOperationError there is none; says what to publish
 */
export async function registerWithTriggers(
	context: IExecuteFunctions,
	request: WaitingExecution,
): Promise<(documents: string[]) => Promise<void>> {
	const begunAt = client.now();
	const tell = async (since?: number) => {
		const { data } = await listWebhooks(context, since);
		return await tellTriggers(context, data, request);
	};
	// What the service said earlier is believed only if a trigger takes the request.
	const earlier = await tell().catch(() => undefined);
	const { takers, why } = earlier && earlier.takers.length > 0 ? earlier : await tell(begunAt);
	if (takers.length === 0) {
		throw new NodeOperationError(
			context.getNode(),
			'No active eSign Trigger of this n8n can wake the execution',
			{
				itemIndex: 0,
				description: `${thenRetry(PUBLISH)} What was found: ${why}.`,
			},
		);
	}
	return async (documents) => {
		await Promise.all(
			takers.map(async (url) => await tellTrigger(context, url, { ...request, documents })),
		);
	};
}

/**
 * Makes sure that n8n can be reached where the trigger will call the execution: what stands in
 * front of n8n may let in the webhooks alone. n8n itself answers that the execution is running.
 *
 * @throws NodeOperationError something else has answered, or nobody
 */
export async function proveWaitingUrl(
	context: IExecuteFunctions,
	resumeUrl: string,
): Promise<void> {
	const reply = await postPatiently(context, calledAt(resumeUrl), {});
	if (reply.answer ?? wordsOfN8n(reply)) return;
	const { origin, pathname } = new URL(resumeUrl);
	const path = pathname.slice(0, pathname.lastIndexOf('/') + 1);
	throw new NodeOperationError(
		context.getNode(),
		'n8n cannot be reached where it wakes waiting executions',
		{
			itemIndex: 0,
			description: `${thenRetry(`Let requests to ${path} through to n8n, as those to its webhooks.`)} ${origin}${path} ${obstacleIn(reply)}.`,
		},
	);
}
