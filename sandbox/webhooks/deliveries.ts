import type { Timeline } from '../state/clock';
import type { Delivery, WebhookEndpoint } from '../state/entities';
import { newId } from '../state/ids';
import type { State } from '../state/state';
import type { EventType, Mode } from '../state/vocabulary';
import { post, type ReceiverAnswer } from './post';
import { signDelivery } from './signature';

const MAX_ATTEMPTS = 3;
const TIMEOUT_MS = 10_000;
/** Waits of 5 and then 10 seconds (docs/service.md section 6, delivery rule 1). */
const BACKOFF_BASE_MS = 5_000;
const FAILURES_THAT_DISABLE = 20;
/** Attempts kept per endpoint; a reader sees at most the last 100. */
const KEPT_ATTEMPTS = 1_000;

/** One event on its way to one endpoint. */
export interface DeliveryJob {
	event: EventType;
	eventId: string;
	documentId: string | null;
	body: string;
}

/**
 * Nothing is delivered while the workspace is suspended, nor to live endpoints during a trial
 * (delivery rule 4).
 */
function mayDeliver(state: State, mode: Mode): boolean {
	return !state.workspace.suspended && !(state.workspace.trialing && mode === 'LIVE');
}

/** Sends jobs to endpoints, with retries on the clock and every attempt in the log. */
export class DeliveryQueue {
	constructor(
		private readonly state: State,
		private readonly timeline: Timeline,
	) {}

	/** The first attempt is made at once; later ones hang on the clock. */
	enqueue(endpoint: WebhookEndpoint, job: DeliveryJob, attempt = 1): void {
		void this.timeline.track(this.attempt(endpoint, job, attempt));
	}

	/**
	 * Sends a stored payload again, as it was and whatever became of it before. On a DISABLED
	 * endpoint nothing is sent, and the attempt is recorded (docs/service.md section 10, 28).
	 */
	replay(endpoint: WebhookEndpoint, delivery: Delivery): boolean {
		const { event, eventId, documentId, body } = delivery;
		const job = { event, eventId, documentId, body };
		if (endpoint.status === 'DISABLED') {
			this.record(endpoint, job, 1, { status: null, body: null, error: 'endpoint is disabled' });
			return false;
		}
		this.enqueue(endpoint, job);
		return true;
	}

	/**
	 * Events and retries that may not be sent now are dropped, not queued (delivery rules 3 and 4).
	 */
	private isDropped(endpoint: WebhookEndpoint): boolean {
		const deleted = this.state.endpoints.find(endpoint.id) !== endpoint;
		return deleted || endpoint.status === 'DISABLED' || !mayDeliver(this.state, endpoint.mode);
	}

	private async attempt(
		endpoint: WebhookEndpoint,
		job: DeliveryJob,
		attempt: number,
	): Promise<void> {
		if (this.isDropped(endpoint)) return;
		const abort = new AbortController();
		const timeout = this.timeline.after(TIMEOUT_MS, () => abort.abort());
		// Receivers compare t with their own clock, which `advance` cannot move.
		const unixSeconds = Math.floor(this.timeline.outsideNow() / 1_000);
		const headers = {
			'user-agent': 'eSign-Webhooks/1',
			'x-esign-signature': signDelivery(endpoint.secret, unixSeconds, job.body),
			'x-esign-event': job.event,
			'x-esign-event-id': job.eventId,
		};
		const answer = await post(endpoint.url, job.body, headers, abort.signal);
		timeout.cancel();
		if (this.record(endpoint, job, attempt, answer) || attempt === MAX_ATTEMPTS) return;
		this.timeline.after(BACKOFF_BASE_MS * 2 ** (attempt - 1), () =>
			this.enqueue(endpoint, job, attempt + 1),
		);
	}

	/**
	 * Writes the attempt to the log and keeps count of failures. Returns whether the attempt
	 * succeeded.
	 */
	private record(
		endpoint: WebhookEndpoint,
		job: DeliveryJob,
		attempt: number,
		answer: ReceiverAnswer,
	): boolean {
		const succeeded =
			answer.error === null && answer.status !== null && Math.floor(answer.status / 100) === 2;
		endpoint.deliveries.push({
			id: newId('dlv'),
			...job,
			attempt,
			responseStatus: answer.status,
			responseBody: answer.body,
			error: answer.error,
			succeeded,
			createdAt: this.timeline.date(),
		});
		if (endpoint.deliveries.length > KEPT_ATTEMPTS) endpoint.deliveries.shift();
		endpoint.failuresInARow = succeeded ? 0 : endpoint.failuresInARow + 1;
		if (endpoint.failuresInARow >= FAILURES_THAT_DISABLE) endpoint.status = 'DISABLED';
		return succeeded;
	}
}
