import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isEndingEvent } from '../../service/ending';
import { isObject, readCallFailure } from '../../client';
import {
	ANSWER_HEADER,
	keyOf,
	seal,
	unseal,
	type Answer,
	type Message,
} from '../../messages/message';
import type { Responder } from '../../messages/responder';
import { Waker } from '../waits/wake';
import { reportFailure, shareSoon } from '../share';
import { log, ownerOf, ownUrl, thisProcess, type TriggerState } from '../triggerState';
import { accept, ANSWERED_EARLY, type Delivered } from './acceptance';
import type { ReceivedItem } from './runEvents';
import { verifySignature } from './signature';

/** What was signed, and when, in seconds since the epoch; or sealed, out of a delivery log. */
export type Genuine = { value: unknown; signedAt: number; isFromLog?: true };

/**
 * An old message may have been recorded on its way. Clocks of two machines may differ by so much,
 * as in a signature.
 */
const TOLERANCE_MS = 300_000;

interface RawRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	headers: Record<string, string | undefined>;
}

/**
 * Answers by itself, so that no execution starts; the text is what the service keeps in its
 * delivery log.
 */
function refuse(response: Responder, status: number, text: string): IWebhookResponseData {
	response.status(status).send(text);
	return { noWebhookResponse: true };
}

/** Undefined, which no JSON says, for what is none. */
function parse(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString('utf8'));
	} catch {
		return undefined;
	}
}

/**
 * Receives a sealed message; undefined for anything else that somebody may have sent. A process of
 * this n8n shares what it knows, and gets what we know; or a node of this n8n waits for documents
 * (docs/architecture.md section 8); or the running trigger gives an event out of a delivery log,
 * which goes the way of every delivery: the answer is in a header, because n8n's own answer says
 * whether it has the event.
 *
 * @returns the sealed answer, or the event
 */
async function receiveMessage(
	context: IWebhookFunctions,
	state: TriggerState,
	sealed: unknown,
	response: Responder,
): Promise<IWebhookResponseData | Genuine | undefined> {
	// It shares nothing, is given no event, and ends with its first one.
	if (state.isTest) return undefined;
	const key = await keyOf(context);
	const message = unseal<Message>(sealed, key);
	const isRecent = message && Math.abs(Date.now() - message.at) <= TOLERANCE_MS;
	if (!isRecent || (!message.wait && message.owner !== ownerOf(context))) return undefined;

	const answer: Answer = { answerTo: message.nonce };
	if (message.event) {
		response.setHeader(ANSWER_HEADER, seal(answer, key));
		// By the clock that signatures are compared with; that of the sender may be another.
		return { value: message.event, signedAt: Math.floor(Date.now() / 1_000), isFromLog: true };
	}

	if (message.wait) {
		answer.wait = state.waits.register(message.wait);
		if (answer.wait === 'taken') void shareSoon(context, state);
	} else {
		state.merge(message.state);
		if (!state.watch) state.noteFailure(state.process.begunAt);
		answer.state = state.toShare();
	}
	state.save(context);
	// Nothing more is heard of a sender that has hung up.
	if (!response.destroyed) {
		state.saving++;
		response.once('close', () => state.saving--);
	}
	// Documents may have ended before all were registered, or in another process.
	new Waker(context, ownUrl(context), state).wakeDueAfter(response);
	return { webhookResponse: seal(answer, key) };
}

/** @returns what is genuine, or the answer to a sealed message or to what is not */
async function read(
	context: IWebhookFunctions,
	state: TriggerState,
	response: Responder,
): Promise<Genuine | IWebhookResponseData> {
	const reject = (status: number, reason: string) => {
		log(context, 'warn', `a delivery was rejected: ${reason}`);
		return refuse(response, status, `Rejected: ${reason}`);
	};
	const request: RawRequest = context.getRequestObject();
	const header = request.headers['x-esign-signature'];
	try {
		// n8n reads the body beforehand, except of types that it leaves to the node.
		if (!request.rawBody) await request.readRawBody?.();
		const body = request.rawBody ?? Buffer.alloc(0);
		if (header === undefined) {
			const { sealed } = Object(parse(body)) as { sealed?: unknown };
			const message = sealed ? await receiveMessage(context, state, sealed, response) : undefined;
			if (message) return message;
		}
		const secrets = state.endpoints.all().map(({ secret }) => secret);
		const verdict = verifySignature(body, header, secrets, Date.now());
		if (!verdict.genuine) return reject(401, verdict.reason);
		const value = parse(body);
		return value === undefined ? reject(400, 'the body is not JSON') : { ...verdict, value };
	} catch (error) {
		// n8n starts an execution for whatever is thrown here, and nobody has been verified yet.
		return reject(401, `the request could not be read: ${readCallFailure(error).message}`);
	}
}

/**
 * Receives one request (docs/service.md section 6, docs/architecture.md section 5). Only a genuine
 * delivery of a selected event that is no repetition starts an execution, with its payload exactly
 * as sent. Nothing here waits for the network.
 */
export async function receiveDelivery(
	context: IWebhookFunctions,
	process = thisProcess,
): Promise<IWebhookResponseData> {
	const state = process.stateOf(context, context.getMode() === 'manual');
	const response: Responder = context.getResponseObject();
	const received = await read(context, state, response);
	if (!('value' in received)) return received;

	if (!received.isFromLog) state.activation.isProven = true;
	const payload = isObject(received.value) ? received.value : {};
	const { id, event } = payload;
	const document = Object(payload.document) as { id?: unknown };
	if (
		isEndingEvent(String(event)) &&
		state.waits.countDown((waitedFor) => waitedFor === document.id)
	) {
		void shareSoon(context, state);
		new Waker(context, ownUrl(context), state).wakeDueAfter(response);
	}
	const selected = [context.getNodeParameter('events', [])].flat() as unknown[];
	// 200 and no execution: nothing is wrong, and the service need not deliver again.
	if (!selected.includes(event)) return { webhookResponse: 'Ignored: this event is not selected' };
	// The sender has hung up, and will deliver again: nobody would learn that this one was accepted.
	if (response.destroyed) {
		reportFailure(context, state);
		return { noWebhookResponse: true };
	}

	// The id in the signed body; the header of that name is not signed.
	if (typeof id !== 'string') return { workflowData: [[{ json: payload }]] };

	// One that was missed, and that the service delivers after all, runs only if it never ran.
	const isFromLog = received.isFromLog ?? state.missed.has(id);
	const delivered: Delivered = { id, signedAt: received.signedAt, isFromLog };
	const isOnce = isFromLog || context.getNodeParameter('options.deduplicate', true) !== false;
	const verdict = await accept(context, state, delivered, response, isOnce);
	if (verdict === 'failed')
		return refuse(response, 503, 'Another delivery of this event has not been accepted');
	if (verdict === 'repetition') {
		// n8n may still fail to start it: the delivery log must not say that it has arrived.
		const isPending = state.events.get(id)?.outcome === 'pending';
		const text = isPending ? ANSWERED_EARLY : 'Ignored: this event was received before';
		return { webhookResponse: text };
	}

	const item: ReceivedItem = { json: payload, delivered };
	return { workflowData: [[item]] };
}
