import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isEndingEvent } from '../../service/ending';
import { readCallFailure } from '../../client';
import { logFieldsOf } from '../identity';
import { memories, type Memories } from '../memory';
import { noteFailure } from '../share';
import { TriggerState } from '../triggerState';
import { dueAfter, wake } from '../wakeWaiting';
import { follow, judge } from './acceptance';
import { answerMessage } from './answerMessage';
import type { Responder } from './responder';
import { verifySignature } from './signature';

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

/** The text that somebody without a signature has sealed. */
function sealedIn(body: Buffer): string | undefined {
	const { sealed } = Object(parseBody(body)?.value) as { sealed?: unknown };
	return typeof sealed === 'string' ? sealed : undefined;
}

/** What came in. Every way to fail ends in a reason, and none in an execution. */
async function read(
	context: IWebhookFunctions,
	state: TriggerState,
): Promise<{ answer: string } | { body: Buffer; signedAt: number } | { reason: string }> {
	const request = context.getRequestObject() as unknown as RawRequest;
	const header = request.headers['x-esign-signature'];
	try {
		const body = await rawBodyOf(request);
		const sealed = header === undefined ? sealedIn(body) : undefined;
		const answer = sealed && (await answerMessage(context, state, sealed, responderOf(context)));
		if (answer !== undefined && answer !== '') return { answer };
		const signature = Array.isArray(header) ? header.join(',') : header;
		const secrets = state.endpoints.all().map(({ secret }) => secret);
		const verdict = verifySignature(body, signature, secrets, Date.now());
		return verdict.genuine ? { body, signedAt: verdict.signedAt } : { reason: verdict.reason };
	} catch (error) {
		// n8n starts an execution for whatever is thrown here, and nobody has been verified yet.
		return { reason: `the request could not be read: ${readCallFailure(error).message}` };
	}
}

/** Wakes whoever waits for the document of an event, once n8n has answered the delivery, or the sender has gone. */
function wakeAfter(context: IWebhookFunctions, state: TriggerState, { event, document }: SignedEvent): void {
	if (!isEndingEvent(event)) return;
	const due = dueAfter(context, state, (document as { id?: unknown } | null | undefined)?.id);
	const response = responderOf(context);
	if (response.destroyed) wake(context, state, due);
	else response.once('close', () => wake(context, state, due));
}

/**
 * Receives one request (docs/service.md section 6, docs/architecture.md section 5). Only a genuine delivery of a selected
 * event that is no repetition starts an execution, with its payload exactly as sent. Nothing here waits for the network.
 */
export async function receiveDelivery(
	context: IWebhookFunctions,
	processes: Memories = memories,
): Promise<IWebhookResponseData> {
	const state = TriggerState.of(context, context.getMode() === 'manual', processes);
	const received = await read(context, state);
	if ('answer' in received) return ignore(received.answer);
	if ('reason' in received) {
		context.logger.warn(`eSign: a delivery was rejected: ${received.reason}`, logFieldsOf(context));
		return refuse(context, 401, `Rejected: ${received.reason}`);
	}
	const parsed = parseBody(received.body);
	if (!parsed) {
		context.logger.warn('eSign: a delivery was rejected: its body is not JSON', logFieldsOf(context));
		return refuse(context, 400, 'Rejected: the body is not JSON');
	}
	const payload = isSignedEvent(parsed.value) ? parsed.value : undefined;
	if (payload) wakeAfter(context, state, payload);
	const selected = context.getNodeParameter('events', []) as unknown;
	if (!payload || !Array.isArray(selected) || !selected.includes(payload.event)) {
		return ignore('Ignored: this event is not selected');
	}
	const response = responderOf(context);
	// The sender has hung up, and will deliver again: there is nobody who could be told that this one was accepted.
	if (response.destroyed) {
		noteFailure(context, state);
		return { noWebhookResponse: true };
	}

	// The id in the signed body; the header of that name is not signed.
	const { id } = payload;
	if (typeof id === 'string') {
		const { signedAt } = received;
		if (context.getNodeParameter('options.deduplicate', true) !== false) {
			const verdict = await judge(state, { id, signedAt, now: Date.now() });
			if (verdict === 'failed') {
				noteFailure(context, state);
				return refuse(context, 503, 'Another delivery of this event has not been accepted');
			}
			if (verdict === 'repetition') return ignore('Ignored: this event was received before');
		}
		follow(context, state, { id, signedAt }, response);
	}
	return { workflowData: [[{ json: payload }]] };
}
