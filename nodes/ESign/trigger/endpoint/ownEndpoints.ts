import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import {
	client,
	isGone,
	readCallFailure,
	RecentMap,
	type WebhookDelivery,
	type WebhookEndpoint,
} from '../../client';
import { MAX_ENTRIES } from '../../service/limits';
import { isSameUrl } from '../../service/urls';
import { askForWebhooks, type WebhookList } from '../../waiting/registerWithTriggers';
import {
	type KnownEndpoint,
	log,
	ownerOf,
	type TriggerState,
	type WantedEndpoint,
} from '../triggerState';

/** Why a call has failed, without a full stop at its end, so that another sentence may follow. */
export const whyFailed = (error: unknown): string =>
	readCallFailure(error).message.replace(/\.$/, '');

/** Why an endpoint at our URL cannot stay as it is; undefined for one that fits. */
export function reasonToReplace(
	{ status, events }: WebhookEndpoint,
	held: KnownEndpoint | undefined,
	wanted: WantedEndpoint,
): string | undefined {
	if (!held) return 'its signing secret is lost';
	if (held.retired) return 'it was left behind when the trigger was deactivated';
	if (status !== 'ACTIVE') return 'the service had switched it off';
	const isSame = [...events].sort().join() === [...wanted.events].sort().join();
	return isSame ? undefined : 'its events are not those of the trigger';
}

/** What the service has for a trigger, and who holds places. */
export type Found = WebhookList & {
	/** The endpoint that fits, whose secret we hold. */
	fits?: KnownEndpoint;
	/** The ids of what else is at its URL, until it is deleted. */
	replaceable: Set<string>;
};

export class OwnEndpoints {
	/** What was logged since all was well. */
	readonly loggedAlready = new RecentMap<string, true>(100);
	/** The newest attempt that was read in each log, in milliseconds since the epoch. */
	readonly logReadTo = new RecentMap<string, number>(20);
	/** Calls of n8n's own address without an answer, since the last that had one. */
	unanswered = 0;

	/**
	 * @param limits when to give up at the latest, and what ends the work before: see `ApiRequest`
	 */
	constructor(
		readonly context: IHookFunctions | ITriggerFunctions,
		readonly state: TriggerState,
		readonly limits: { deadline?: number; signal?: AbortSignal },
	) {}

	/** Whether n8n has just answered at its own address. */
	get isReachable(): boolean {
		return this.unanswered === 0;
	}

	/** A look that fails every 90 seconds says so once. */
	log(level: 'info' | 'warn' | 'error', text: string): void {
		if (!this.loggedAlready.has(text)) log(this.context, level, text);
		this.loggedAlready.set(text, true);
	}

	/** Says that there may have been events in no log, when, and what to do about them. */
	logGap(what: string, since: number | string, until: number | string): void {
		const [from, to] = [since, until].map((time) => new Date(time).toISOString());
		const remedy = `Compare the documents that changed between ${from} and ${to} with what your workflow has seen: the example workflow "Reconcile missed events" does (examples/reconcile-missed-events.json in the repository of this package).`;
		this.log('warn', `${what}. ${remedy}`);
	}

	/** The endpoints of the key's mode, not those of this trigger alone. */
	async list(): Promise<WebhookList> {
		return await askForWebhooks(this.context, this.limits);
	}

	/** The newest attempts of an endpoint, as many as the service gives. */
	async readLog(id: string): Promise<WebhookDelivery[]> {
		const request = { path: { id }, query: { limit: MAX_ENTRIES }, ...this.limits };
		return (await client.call(this.context, 'GET /webhooks/{id}/deliveries', request)).data;
	}

	/**
	 * Finds what the service has for this trigger, and forgets the endpoints that are gone. An
	 * endpoint at our URL is ours, whoever made it. One at another URL stays; `makeRoom` says when
	 * it has to go.
	 *
	 * @param list asked for since this trigger has made or deleted an endpoint: by an older one it
	 * would make a twin
	 */
	find(wanted: WantedEndpoint, list: WebhookList): Found {
		const { endpoints } = this.state;
		const { askedAt, data: listed } = list;
		const isHere = ({ url }: { url: string }) => isSameUrl(url, wanted.url);
		const isOurs = (known: KnownEndpoint) => known.owner === ownerOf(this.context) || isHere(known);
		// One that was made since the service was asked is not yet in the list.
		const isGone = (known: KnownEndpoint) =>
			known.at < askedAt && !listed.some(({ id }) => id === known.id);
		const gone = endpoints.all().filter((known) => isOurs(known) && isGone(known));

		let fits: KnownEndpoint | undefined;
		const replaceable = new Set<string>();
		for (const endpoint of listed.filter(isHere)) {
			const { id } = endpoint;
			const held = endpoints.get(id);
			const reason = reasonToReplace(endpoint, held, wanted) ?? (fits && 'there is a newer one');
			if (reason === undefined) fits = held;
			else {
				replaceable.add(id);
				this.log('warn', `webhook ${id} is to be replaced: ${reason}`);
			}
		}
		const newest = fits ? undefined : gone.find(({ retired }) => !retired);
		if (newest && !this.state.isTest) {
			const { id, at } = newest;
			this.state.markWithoutEndpoint(Math.max(at, this.state.logRunTo(id)));
			this.log('warn', `webhook ${id} is gone: it was deleted, or the API key is of another mode`);
		}
		for (const { id } of gone) endpoints.remove(id);

		return { ...list, fits, replaceable };
	}

	/**
	 * The ids of those at addresses that n8n had before the endpoint in place was made, whose log was
	 * not run through since: what was delivered there only is in no other log.
	 */
	movedBefore({ url, at }: KnownEndpoint): string[] {
		const isMoved = ({ id, owner, retired, url: before }: KnownEndpoint) =>
			owner === ownerOf(this.context) &&
			!retired &&
			!isSameUrl(before, url) &&
			this.state.logRunTo(id) < at;
		const moved = this.state.endpoints.all().filter(isMoved);
		return moved.map(({ id }) => id);
	}

	/**
	 * Deletes an endpoint. It leaves the set when it is gone, also before; a failure is logged.
	 *
	 * @param remedy what a person can do after a failure
	 * @returns whether it is gone
	 */
	async delete(id: string, remedy = 'The next look tries again.'): Promise<boolean> {
		try {
			await client.call(this.context, 'DELETE /webhooks/{id}', { path: { id }, ...this.limits });
		} catch (error) {
			// A proxy may answer 404 to everything for a while: the secret is needed as long as the
			// endpoint delivers.
			if (!isGone(error)) {
				const what = `webhook ${id} could not be deleted: ${whyFailed(error)}`;
				this.log('warn', `${what}. ${remedy}`);
				return false;
			}
		}
		this.state.endpoints.remove(id);
		return true;
	}
}
