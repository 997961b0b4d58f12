import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { missedEvents, uncertainSince, wasSwitchedOff } from '../../service/deliveryLog';
import { MAX_ENTRIES } from '../../service/limits';
import { client, isGone, readCallFailure, RecentMap, type WebhookDelivery } from '../../client';
import type { WebhookList } from '../../waiting/registerWithTriggers';
import { failedLate, isAccepted } from '../delivery/acceptance';
import { isSameUrl } from '../../service/urls';
import { log, ownerOf } from '../identity';
import type { KnownEndpoint, TriggerState, WantedEndpoint } from '../triggerState';
import { reasonToReplace } from './decisions';

export const described = ({ event, event_id, document_id, created_at }: WebhookDelivery): string =>
	`${event} ${event_id}${document_id ? ` of document ${document_id}` : ''}, last tried ${created_at}`;

/** What to do about events that are in no log. */
export const howToReconcile = (
	since: number | string,
	until: number | string = Date.now(),
): string =>
	`Compare the documents that changed between ${new Date(since).toISOString()} and ${new Date(until).toISOString()} with what your workflow has seen: the example workflow "Reconcile missed events" does (examples/reconcile-missed-events.json in the repository of this package).`;

export class OwnEndpoints {
	/** What was logged since all was well. */
	readonly said = new RecentMap<string, true>(100);

	/**
	 * @param limits when to give up at the latest, and what ends the work before: see `ApiRequest`
	 */
	constructor(
		readonly context: IHookFunctions | ITriggerFunctions,
		readonly state: TriggerState,
		readonly limits: { deadline?: number; signal?: AbortSignal },
	) {}

	/** A look that fails every 90 seconds says so once. */
	log(level: 'info' | 'warn' | 'error', text: string): void {
		if (!this.said.has(text)) log(this.context, level, text);
		this.said.set(text, true);
	}

	/** The endpoints of the key's mode, not those of this trigger alone. */
	async list(): Promise<WebhookList> {
		return {
			askedAt: Date.now(),
			...(await client.call(this.context, 'GET /webhooks', this.limits)),
		};
	}

	/** The newest attempts of an endpoint, as many as the service gives. */
	async readLog(id: string): Promise<WebhookDelivery[]> {
		const request = { path: { id }, query: { limit: MAX_ENTRIES }, ...this.limits };
		return (await client.call(this.context, 'GET /webhooks/{id}/deliveries', request)).data;
	}

	/**
	 * Finds what the service has for this trigger, and forgets the endpoints that are gone. An
	 * endpoint at our URL is ours, whoever made it. One at another URL stays; `freePlace` says when
	 * it makes room. What else is at our URL is deleted if one fits.
	 *
	 * @param list asked for since this trigger has made or deleted an endpoint: by an older one it
	 * would make a twin
	 * @returns the one that fits, and whose secret we hold; the ids of those that have to be replaced
	 * if none does; who holds places
	 */
	async find(wanted: WantedEndpoint, { askedAt, data: listed }: WebhookList) {
		const { endpoints } = this.state;
		const isHere = ({ url }: { url: string }) => isSameUrl(url, wanted.url);
		const known = endpoints
			.all()
			.filter((one) => one.owner === ownerOf(this.context) || isHere(one));
		const isListed = new Set(listed.map(({ id }) => id));
		// One that was made since the service was asked is not yet in the list.
		const gone = known.filter(({ id, at }) => at < askedAt && !isListed.has(id));
		for (const { id } of gone) endpoints.remove(id);

		const here = listed.filter(isHere).map((endpoint) => {
			const held = known.find(({ id }) => id === endpoint.id);
			return { id: endpoint.id, held, reason: reasonToReplace(endpoint, held, wanted) };
		});
		const inPlace = here.find(({ reason }) => reason === undefined);
		const newest = gone.find(({ retired }) => !retired);
		if (newest && !inPlace && !this.state.isTest) {
			// What it had missed is forgotten with it.
			this.state.noteGap(Math.max(newest.at, this.state.logReadTo));
			this.log('warn', `webhook ${newest.id} is gone: somebody deleted it`);
		}
		const others = here.filter((one) => one !== inPlace);
		for (const { id, reason = 'there is a newer one' } of others) {
			this.log('warn', `webhook ${id} is to be replaced: ${reason}`);
			if (inPlace) await this.delete(id);
		}
		return { fits: inPlace?.held, replaceable: others.map(({ id }) => id), listed };
	}

	/**
	 * Deletes an endpoint. It leaves the set when it is gone, also before; a failure is logged, and
	 * the next look tries again.
	 *
	 * @param hasLog of interest, that is, which is deleted with it and read before: nobody misses
	 * what a test has
	 * @returns whether it is gone
	 */
	async delete(id: string, hasLog = !this.state.isTest): Promise<boolean> {
		if (hasLog) await this.reportLoss(id);
		try {
			await client.call(this.context, 'DELETE /webhooks/{id}', { path: { id }, ...this.limits });
		} catch (error) {
			// A proxy may answer 404 to everything for a while: the secret is needed as long as the
			// endpoint delivers.
			if (!isGone(error)) {
				this.log('warn', `webhook ${id} could not be deleted: ${readCallFailure(error).message}`);
				return false;
			}
		}
		this.state.endpoints.remove(id);
		return true;
	}

	/**
	 * Those at addresses that n8n had before, of which it was not yet said what they have missed; or
	 * at one that it has again.
	 */
	moved({ url }: WantedEndpoint): KnownEndpoint[] {
		const isMoved = (one: KnownEndpoint) =>
			one.owner === ownerOf(this.context) && isSameUrl(one.url, url) === (one.isTold ?? false);
		return this.state.endpoints.all().filter(isMoved);
	}

	/** Nobody can replay it: that would go to the old address. */
	async reportMoved(wanted: WantedEndpoint): Promise<void> {
		for (const one of this.moved(wanted)) {
			if (!one.isTold) await this.reportLoss(one.id);
			this.state.endpoints.keep({ ...one, isTold: !one.isTold, at: one.at + 1 });
		}
	}

	/**
	 * Logs each event of an endpoint that was not accepted, and the span of time for which its log
	 * says nothing.
	 */
	private async reportLoss(id: string): Promise<void> {
		try {
			const log = await this.readLog(id);
			const lost = missedEvents(log, failedLate(this.state));
			const missed = lost.filter(({ event_id }) => !isAccepted(this.state, event_id));
			for (const delivery of missed) {
				this.log('warn', `an event of webhook ${id} may not have run: ${described(delivery)}`);
			}
			const isOff = wasSwitchedOff(log);
			if (missed.length === 0 && !isOff) return;
			const why = isOff
				? 'had been switched off after too many failed deliveries'
				: 'missed events';
			this.log('warn', `webhook ${id} ${why}. ${howToReconcile(uncertainSince(log))}`);
		} catch (error) {
			if (isGone(error)) return;
			const { message } = readCallFailure(error);
			const text = `the delivery log of webhook ${id} could not be read: ${message}. Events that it missed are not known.`;
			this.log('warn', text);
		}
	}
}
