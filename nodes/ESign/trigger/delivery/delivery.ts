import type { IDataObject, INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isDuplicate, mergeSeen } from './deduplication';
import { failureOf } from '../endpoint/failures';
import { fetchFiles, variantsOf } from './files';
import { inPlace, openHandover } from '../endpoint/handover';
import { logFieldsOf, memoryKeyOf } from '../endpoint/identity';
import { memoryOf, type TriggerMemory } from '../endpoint/memory';
import { verifySignature } from './signature';
import { MOST_STORED_EVENTS, TriggerState } from '../endpoint/state';

/** The last of three attempts must be accepted: after it the service gives up (docs/service.md section 6, rule 1). */
const MOST_POSTPONEMENTS = 2;

/** What the trigger uses of the request and response of n8n's web server. */
interface RawRequest {
	rawBody?: Buffer;
	readRawBody?: () => Promise<void>;
	headers: Record<string, string | string[] | undefined>;
}

interface Responder {
	statusCode: number;
	status(code: number): { send(body: string): unknown };
	once(event: 'finish', listener: () => void): unknown;
}

/** A signed body that names an event. */
type SignedEvent = IDataObject & { event: string };

const responderOf = (context: IWebhookFunctions) => context.getResponseObject() as unknown as Responder;

/** Answers by itself, so that no execution starts; the text is what the service keeps in its delivery log. */
function answer(context: IWebhookFunctions, status: number, text: string): IWebhookResponseData {
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

/** Reads and verifies a request. Every way that it can fail ends in a reason, and none in an execution. */
async function genuineBody(
	context: IWebhookFunctions,
	state: TriggerState,
): Promise<{ body: Buffer } | { reason: string }> {
	const request = context.getRequestObject() as unknown as RawRequest;
	const header = request.headers['x-esign-signature'];
	try {
		const body = await rawBodyOf(request);
		const signature = Array.isArray(header) ? header.join(',') : header;
		const verdict = verifySignature(body, signature, state.endpoint?.secret, Date.now());
		return verdict.genuine ? { body } : { reason: verdict.reason };
	} catch (error) {
		// n8n starts an execution for whatever is thrown here, and nobody has been verified yet.
		return { reason: `the body could not be read: ${failureOf(error).message}` };
	}
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

/** The item of an event, with its files; undefined: the service shall deliver again. */
async function itemOf(
	context: IWebhookFunctions,
	payload: SignedEvent,
	state: TriggerState,
	memory: TriggerMemory,
): Promise<INodeExecutionData | undefined> {
	const variants = variantsOf(context.getNodeParameter('options.downloadFiles', []));
	const documentId = (payload.document as IDataObject | undefined)?.id;
	if (payload.event !== 'document.completed' || variants.length === 0 || typeof documentId !== 'string') {
		return { json: payload };
	}
	const { binary, refusals, isBrief } = await fetchFiles(context, documentId, variants);
	if (refusals.length === 0) return { json: payload, binary };

	const why = refusals.map(({ variant, message }) => `${variant}: ${message}`).join('; ');
	const id = String(payload.id);
	// A replay may have one attempt only.
	if (isBrief && !memory.wasReplayed(id)) {
		const times = memory.postpone(id, state.timesPostponed(id));
		if (times <= MOST_POSTPONEMENTS) {
			state.setPostponed(id, times);
			context.logger.warn(`eSign: event ${id} is put off until its files can be had: ${why}`, logFieldsOf(context));
			return undefined;
		}
	}
	context.logger.warn(`eSign: event ${id} starts the workflow without all of its files: ${why}`, logFieldsOf(context));
	return { json: { ...payload, download_errors: refusals }, binary };
}

/**
 * Keeps an event, and those answered before, in the database as well: for a restart and for the other processes of queue
 * mode. Events still under way are left out: should one fail, its retry must not be taken for a repetition.
 *
 * When it gets there: n8n 1.x saves it with every delivery; 2.41 with one that starts no execution (a repetition), as
 * WorkflowRunner.establishContextForPersistence takes the mark "changed" off before the answer is given. So an event that
 * started an execution there, and that nothing followed, runs once more if n8n is restarted and the service then repeats
 * it within five minutes. To set the mark again after the run has begun would take a getter in what `webhook` returns, and
 * n8n would then save the whole workflow's static data as this request had read it: over the endpoint of a publication
 * that came in between, or over what the execution itself has stored. A rare repetition is the lesser harm.
 */
function storeSeen(state: TriggerState, memory: TriggerMemory, id: string, at: number): void {
	state.seen = mergeSeen(MOST_STORED_EVENTS, state.seen, memory.answered(MOST_STORED_EVENTS), [{ id, at }]);
}

/**
 * Receives one delivery (docs/service.md section 6). Only a genuine one of a selected event, not accepted within the
 * last five minutes, starts an execution: its payload, exactly as sent.
 *
 * Two deliveries of one event at once: the second waits for what becomes of the first. That holds within a process; of
 * two that reach two webhook processes of queue mode at the same moment, both may run.
 */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const state = new TriggerState(context.getWorkflowStaticData('node'));
	const received = await genuineBody(context, state);
	if ('reason' in received) {
		context.logger.warn(`eSign: a delivery was rejected: ${received.reason}`, logFieldsOf(context));
		return answer(context, 401, `Rejected: ${received.reason}`);
	}
	const parsed = parseBody(received.body);
	if (!parsed) {
		context.logger.warn('eSign: a delivery was rejected: its body is not JSON', logFieldsOf(context));
		return answer(context, 400, 'Rejected: the body is not JSON');
	}
	const payload = parsed.value;
	const handedOver = openHandover(payload, state.endpoint?.secret);
	if (handedOver) {
		if (handedOver.id !== state.endpoint?.id) state.endpoint = handedOver;
		return ignore(inPlace(handedOver));
	}
	const selected = context.getNodeParameter('events', []) as unknown;
	if (!isSignedEvent(payload) || !Array.isArray(selected) || !selected.includes(payload.event)) {
		return ignore('Ignored: this event is not selected');
	}

	const memory = memoryOf(memoryKeyOf(context, state.endpoint));
	const deduplicates = context.getNodeParameter('options.deduplicate', true) !== false;
	if (!deduplicates || typeof payload.id !== 'string') {
		const item = await itemOf(context, payload, state, memory);
		return item ? { workflowData: [[item]] } : answer(context, 503, 'The files of the document cannot be had now');
	}
	return await receiveOnce(context, { ...payload, id: payload.id }, state, memory);
}

/** As above, for an event told apart by the id in its signed body; the header of that name is not signed. */
async function receiveOnce(
	context: IWebhookFunctions,
	payload: SignedEvent & { id: string },
	state: TriggerState,
	memory: TriggerMemory,
): Promise<IWebhookResponseData> {
	const { id } = payload;
	const now = Date.now();
	// No await between looking and claiming.
	const claim = isDuplicate(state.seen, id, now) ? undefined : memory.claim(id, now);
	if (!claim?.first) {
		if (claim && !(await claim.accepted)) return answer(context, 503, 'Another delivery of this event has just failed');
		if (claim) storeSeen(state, memory, id, claim.at);
		return ignore('Ignored: this event was received before');
	}

	let item: INodeExecutionData | undefined;
	try {
		item = await itemOf(context, payload, state, memory);
	} finally {
		claim.settle(item !== undefined);
	}
	if (!item) return answer(context, 503, 'The files of the document cannot be had now');

	storeSeen(state, memory, id, now);
	const response = responderOf(context);
	// n8n can still fail to start the execution, when its queue is down; the service's retry must then not be ignored.
	response.once('finish', () => {
		if (response.statusCode < 300) memory.markAnswered(id);
		else memory.release(id);
	});
	return { workflowData: [[item]] };
}
