import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readCallFailure } from '../../transport';
import { logFieldsOf } from '../identity';
import { Known } from '../known';
import { memories, type Memories } from '../memory';
import { wakeOnEvent } from '../waits/wake';
import { follow, judge, type Responder } from './acceptance';
import { answerControl } from './answerControl';
import { verifySignature, type SignatureVerdict } from './signature';

/** What the trigger uses of the request of n8n's web server. */
interface RawRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	headers: Record<string, string | string[] | undefined>;
}

/** A signed body that names an event. */
type SignedEvent = IDataObject & { event: string };

const responderOf = (context: IWebhookFunctions) => context.getResponseObject() as unknown as Responder;

/** Answers by itself, so that no execution starts; the text is what the service keeps in its delivery log. */
function refuse(context: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
	responderOf(context).status(status).send(text);
	return { noWebhookResponse: true };
}

/** 200 and no execution: nothing is wrong, and the service need not deliver again. */
const ignore = (text: string): IWebhookResponseData => ({ webhookResponse: text });

/** The body as it arrived; n8n reads it beforehand except for types that it leaves to the node. */
async function rawBodyOf(request: RawRequest): Promise<Buffer> {
	if (!request.rawBody) await request.readRawBody?.();
	return request.rawBody ?? Buffer.alloc(0);
}

function parseBody(body: Buffer): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(body.toString('utf8')) as unknown };
	} catch {
		return undefined;
	}
}

const isSignedEvent = (value: unknown): value is SignedEvent =>
	typeof value === 'object' && value !== null && typeof (value as IDataObject).event === 'string';

/** A request without a signature: a control message, or nothing of ours. */
async function controlAnswer(
	context: IWebhookFunctions,
	known: Known,
	body: Buffer,
): Promise<IWebhookResponseData | undefined> {
	const message = parseBody(body)?.value as IDataObject | null | undefined;
	if (typeof message?.sealed !== 'string') return undefined;
	const answer = await answerControl(context, known, message.sealed);
	return answer === undefined ? undefined : ignore(answer);
}

/** Which requests are genuine, and what they hold. Every way to fail ends in a reason, and none in an execution. */
async function read(
	context: IWebhookFunctions,
	known: Known,
): Promise<
	| { response: IWebhookResponseData }
	| { body: Buffer; verdict: SignatureVerdict & { genuine: true } }
	| { reason: string }
> {
	const request = context.getRequestObject() as unknown as RawRequest;
	const header = request.headers['x-esign-signature'];
	try {
		const body = await rawBodyOf(request);
		const response = header === undefined ? await controlAnswer(context, known, body) : undefined;
		if (response) return { response };
		const signature = Array.isArray(header) ? header.join(',') : header;
		const secrets = known.all('endpoint').map(({ secret }) => secret);
		const verdict = verifySignature(body, signature, secrets, Date.now());
		return verdict.genuine ? { body, verdict } : { reason: verdict.reason };
	} catch (error) {
		// n8n starts an execution for whatever is thrown here, and nobody has been verified yet.
		return { reason: `the request could not be read: ${readCallFailure(error).message}` };
	}
}

/**
 * Receives one request (docs/service.md section 6, docs/architecture.md section 5). Only a genuine delivery of a selected
 * event that is no repetition starts an execution, with its payload exactly as sent. Nothing here waits for the network.
 */
export async function receiveDelivery(
	context: IWebhookFunctions,
	processes: Memories = memories,
): Promise<IWebhookResponseData> {
	const known = Known.of(context, context.getMode() === 'manual', processes);
	const received = await read(context, known);
	if ('response' in received) return received.response;
	if ('reason' in received) {
		context.logger.warn(`eSign: a delivery was rejected: ${received.reason}`, logFieldsOf(context));
		return refuse(context, 401, `Rejected: ${received.reason}`);
	}
	const parsed = parseBody(received.body);
	if (!parsed) {
		context.logger.warn('eSign: a delivery was rejected: its body is not JSON', logFieldsOf(context));
		return refuse(context, 400, 'Rejected: the body is not JSON');
	}
	const response = responderOf(context);
	const payload = isSignedEvent(parsed.value) ? parsed.value : undefined;
	if (payload) wakeOnEvent(context, known, payload, response);
	const selected = context.getNodeParameter('events', []) as unknown;
	if (!payload || !Array.isArray(selected) || !selected.includes(payload.event)) {
		return ignore('Ignored: this event is not selected');
	}
	// The sender has hung up, and will deliver again: there is nobody who could be told that this one was accepted.
	if (response.destroyed) return { noWebhookResponse: true };

	// The id in the signed body; the header of that name is not signed.
	const { id } = payload;
	if (typeof id === 'string') {
		const { signedAt } = received.verdict;
		if (context.getNodeParameter('options.deduplicate', true) === false) {
			follow(known, { id, signedAt }, response);
		} else {
			const verdict = await judge(known, { id, signedAt, now: Date.now() }, response);
			if (verdict === 'failed') return refuse(context, 503, 'Another delivery of this event has not been accepted');
			if (verdict === 'repetition') return ignore('Ignored: this event was received before');
		}
	}
	return { workflowData: [[{ json: payload }]] };
}
