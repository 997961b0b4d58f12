import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { ENDING_EVENTS } from '../service/ending';
import { EVENTS } from '../service/events';
import {
	client,
	serviceOf,
	type ApiContext,
	type ApiRequest,
	type WebhookEndpoint,
} from '../client';
import { Readings } from '../operation/readings';
import { obstacleIn, post, wordsOfN8n, type WaitingExecution } from '../messages/message';
import { calledAt } from './wakeUrl';

/**
 * The endpoints of the last 100 API keys: what the service has said serves all executions that
 * begin within these seconds.
 */
const listed = new Readings(30_000, 100);

/**
 * The webhooks of a key's mode, and when the service was asked for them, in milliseconds since the
 * epoch.
 */
export type WebhookList = { askedAt: number; data: WebhookEndpoint[] };

export async function askForWebhooks(
	context: ApiContext,
	request: ApiRequest,
): Promise<WebhookList> {
	return { askedAt: Date.now(), ...(await client.call(context, 'GET /webhooks', request)) };
}

/** As the service has last told this process: not before `since`, if that is given. */
export async function listWebhooks(context: ApiContext, since?: number): Promise<WebhookList> {
	const { keyId } = await serviceOf(context);
	// It does not end with the execution that happens to ask first.
	const request = { itemIndex: 0, signal: new AbortController().signal };
	return await listed.read(keyId, async () => await askForWebhooks(context, request), since);
}

/** For the documents are out. */
const THEN_RETRY =
	'Then retry the execution that failed, or in the editor execute this step. Running the workflow again may send the documents again.';

const PUBLISH =
	'Publish (activate) a workflow in this n8n with an eSign Trigger that has the same API key and the events Document Completed, Declined, Cancelled and Expired. If there is one whose API key has changed, unpublish and publish it.';

const NOT_REACHED = 'The eSign Trigger cannot be reached from this n8n process';

const ALLOW =
	'n8n refuses to call its own address: allow that address in the settings that it names.';

const REACH_ITSELF =
	'n8n must be able to call its own public address: look at its DNS, at what stands in front of it, and, with HTTP_PROXY, at NO_PROXY.';

const IS_FULL = 'has as many executions waiting as it can hold: 1,000';

/** Why an endpoint at the address of this n8n cannot wake anybody; undefined if it can. */
export function unfit({
	status,
	events,
}: Pick<WebhookEndpoint, 'status' | 'events'>): string | undefined {
	const missing = ENDING_EVENTS.filter((event) => !(events as string[]).includes(event));
	if (status !== 'ACTIVE') return 'has been switched off by the service';
	const names = missing.map((event) => EVENTS[event][0]).join(', ');
	return names === '' ? undefined : `does not listen for ${names}`;
}

/** What an endpoint of the key has made of a request. */
type TriggerAnswer = {
	endpoint: WebhookEndpoint;
	/** Why it does not wake the execution, as it follows its address; undefined if it does. */
	obstacle?: string;
	/** What a person does where it would fit, and this process does not reach it. */
	remedy?: string;
};

/** Asks an endpoint which documents wake an execution. */
async function ask(
	context: IExecuteFunctions,
	endpoint: WebhookEndpoint,
	request: WaitingExecution,
): Promise<TriggerAnswer> {
	const { url } = endpoint;
	const obstacle = unfit(endpoint);
	if (obstacle) return { endpoint, obstacle };

	const { pathname, search } = new URL(request.resumeUrl);
	const wait = { ...request, resumeUrl: pathname + search };
	const reply = await post(context, url, { wait }, { isPatient: true });
	const { answer, status, isRefused } = reply;
	if (answer?.wait === 'taken') return { endpoint };
	if (answer?.wait) return { endpoint, obstacle: IS_FULL };
	// A trigger with another key answers 401, and n8n itself where none is active.
	const isReached = status === 401 || wordsOfN8n(reply) !== undefined;
	const remedy = isRefused ? ALLOW : REACH_ITSELF;
	return { endpoint, obstacle: obstacleIn(reply), remedy: isReached ? undefined : remedy };
}

const isTaken = ({ obstacle }: TriggerAnswer): boolean => obstacle === undefined;

/**
 * Finds the active eSign Triggers of this n8n with the events that end a document, and tells each
 * which documents wake the execution: one may be unpublished while that sleeps. One request of the
 * service, shared by all that begin within seconds.
 *
 * @param request with the resume URL as n8n gives it
 * @returns what tells the same triggers that other documents do
 * @throws NodeOperationError there is none, or none was reached; says what to do
 */
export async function registerWithTriggers(
	context: IExecuteFunctions,
	request: WaitingExecution,
): Promise<(documents: string[]) => Promise<void>> {
	const { origin } = new URL(request.resumeUrl);
	const isHere = ({ url }: WebhookEndpoint) => URL.canParse(url) && new URL(url).origin === origin;
	const askThose = async (endpoints: readonly WebhookEndpoint[], asked = request) =>
		await Promise.all(endpoints.map(async (endpoint) => await ask(context, endpoint, asked)));

	const begunAt = client.now();
	// Whoever asked before may have made the last try when we came.
	const earlier = await listWebhooks(context).catch(() => undefined);
	let answers = await askThose(earlier?.data.filter(isHere) ?? []);
	// What the service said earlier is believed only if a trigger takes the request.
	if (!answers.some(isTaken)) {
		const list = await listWebhooks(context, begunAt);
		if (list !== earlier) answers = await askThose(list.data.filter(isHere));
		if (!answers.some(isTaken)) throw whyNobody(context, answers, list.data, origin);
	}

	const takers = answers.filter(isTaken).map(({ endpoint }) => endpoint);
	return async (documents) => {
		await askThose(takers, { ...request, documents });
	};
}

const failure = (context: IExecuteFunctions, message: string, remedy: string, found: string) =>
	new NodeOperationError(context.getNode(), message, {
		itemIndex: 0,
		description: `What was found: ${found}. ${remedy} ${THEN_RETRY}`,
	});

/**
 * What stands in the way, and what to do about it. Only where no trigger of this key could wake the
 * execution does another have to be published.
 */
function whyNobody(
	context: IExecuteFunctions,
	answers: readonly TriggerAnswer[],
	endpoints: readonly WebhookEndpoint[],
	origin: string,
): NodeOperationError {
	const none = `there is no webhook of this API key at ${origin}`;
	const found = answers
		.map(({ endpoint, obstacle }) => `the one at ${endpoint.url} ${obstacle}`)
		.join('; ');
	const remedy = answers.find((one) => one.remedy)?.remedy;
	if (remedy) return failure(context, NOT_REACHED, remedy, found);

	const elsewhere = endpoints.filter((endpoint) => !unfit(endpoint)).map(({ url }) => url);
	if (answers.length === 0 && elsewhere.length > 0) {
		const only = `${none}, only at ${elsewhere.join(', ')}`;
		const sameAddress = `This process takes ${origin} for the address of n8n. If the trigger is in this n8n, set WEBHOOK_URL (N8N_WEBHOOK_URL in new versions) to the same address on every n8n process, workers too. If it is in another n8n, publish one in this n8n.`;
		return failure(context, NOT_REACHED, sameAddress, only);
	}
	const nobody = 'No active eSign Trigger of this n8n can wake the execution';
	return failure(context, nobody, PUBLISH, found || none);
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
	const reply = await post(context, calledAt(resumeUrl), {}, { isPatient: true });
	if (wordsOfN8n(reply)) return;
	const { origin, pathname } = new URL('.', resumeUrl);
	const remedy = `Let requests to ${pathname} through to n8n, as those to its webhooks.`;
	const found = `${origin}${pathname} ${obstacleIn(reply)}`;
	throw failure(context, 'n8n cannot be reached where it wakes waiting executions', remedy, found);
}
