import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { client, isGone, readCallFailure, RecentMap, type WebhookDelivery } from '../../client';
import { MAX_ENTRIES } from '../../service/limits';
import { isSameUrl } from '../../service/urls';
import type { WebhookList } from '../../waiting/registerWithTriggers';
import { log, ownerOf } from '../identity';
import type { KnownEndpoint, TriggerState, WantedEndpoint } from '../triggerState';
import { reasonToReplace } from './decisions';

/** What to do about events that are in no log. */
export function howToReconcile(since: number | string, until: number | string): string {
	const [from, to] = [since, until].map((time) => new Date(time).toISOString());
	return `Compare the documents that changed between ${from} and ${to} with what your workflow has seen: the example workflow "Reconcile missed events" does (examples/reconcile-missed-events.json in the repository of this package).`;
}

/** A message without the full stop at its end, so that another sentence may follow. */
export const withoutFullStop = (message: string): string => message.replace(/\.$/, '');

/** The endpoint that fits, whose secret we hold, and the ids of what else is at its URL. */
export type InPlace = { fits: KnownEndpoint; replaceable: string[] };

/** What the service has for a trigger, and who holds places. */
export type Found = Partial<InPlace> &
	Pick<InPlace, 'replaceable'> & { listed: WebhookList['data'] };

export class OwnEndpoints {
	/** What was logged since all was well. */
	readonly loggedAlready = new RecentMap<string, true>(100);
	/** The newest attempt that was read in each log, in milliseconds since the epoch. */
	readonly logReadTo = new RecentMap<string, number>(20);

	/**
	 * @param limits when to give up at the latest, and what ends the work before: see `ApiRequest`
	 */
	constructor(
		readonly context: IHookFunctions | ITriggerFunctions,
		readonly state: TriggerState,
		readonly limits: { deadline?: number; signal?: AbortSignal },
	) {}

	/** The same for another trigger of this process, or with other limits. */
	with({ state = this.state, limits = this.limits }: Partial<OwnEndpoints>): OwnEndpoints {
		return new OwnEndpoints(this.context, state, limits);
	}

	/** A look that fails every 90 seconds says so once. */
	log(level: 'info' | 'warn' | 'error', text: string): void {
		if (!this.loggedAlready.has(text)) log(this.context, level, text);
		this.loggedAlready.set(text, true);
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
	 * it makes room.
	 *
	 * @param list asked for since this trigger has made or deleted an endpoint: by an older one it
	 * would make a twin
	 */
	async find(wanted: WantedEndpoint, { askedAt, data: listed }: WebhookList): Promise<Found> {
		const { endpoints } = this.state;
		const isHere = ({ url }: { url: string }) => isSameUrl(url, wanted.url);
		const isOurs = (known: KnownEndpoint) => known.owner === ownerOf(this.context) || isHere(known);
		const known = endpoints.all().filter(isOurs);
		const isListed = new Set(listed.map(({ id }) => id));
		// One that was made since the service was asked is not yet in the list.
		const gone = known.filter(({ id, at }) => at < askedAt && !isListed.has(id));

		const here = listed.filter(isHere).map((endpoint) => {
			const held = known.find(({ id }) => id === endpoint.id);
			return { id: endpoint.id, held, reason: reasonToReplace(endpoint, held, wanted) };
		});
		const inPlace = here.find(({ reason }) => reason === undefined);
		if (!inPlace) this.noteDeletedByOthers(gone);
		for (const { id } of gone) this.state.forgetEndpoint(id);

		const others = here.filter((endpoint) => endpoint !== inPlace);
		for (const { id, reason = 'there is a newer one' } of others)
			this.log('warn', `webhook ${id} is to be replaced: ${reason}`);
		return { fits: inPlace?.held, replaceable: others.map(({ id }) => id), listed };
	}

	/** What an endpoint had missed is forgotten with it. */
	private noteDeletedByOthers(gone: readonly KnownEndpoint[]): void {
		const newest = gone.find(({ retired }) => !retired);
		if (!newest || this.state.isTest) return;
		const { id, at } = newest;
		this.state.markWithoutEndpoint(Math.max(at, this.state.logRunTo(id)));
		this.log('warn', `webhook ${id} is gone: somebody deleted it`);
	}

	/**
	 * The ids of those at addresses that n8n had before the endpoint in place was made, whose log was
	 * not run through since: what was delivered there only is in no other log.
	 */
	movedBefore({ url, at }: KnownEndpoint): string[] {
		const isMoved = (known: KnownEndpoint) =>
			known.owner === ownerOf(this.context) && !isSameUrl(known.url, url) && !known.retired;
		const ids = this.state.endpoints
			.all()
			.filter(isMoved)
			.map(({ id }) => id);
		return ids.filter((id) => this.state.logRunTo(id) < at);
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
				const why = withoutFullStop(readCallFailure(error).message);
				this.log('warn', `webhook ${id} could not be deleted: ${why}. ${remedy}`);
				return false;
			}
		}
		this.state.forgetEndpoint(id);
		return true;
	}
}
