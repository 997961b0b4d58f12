import type { Instant } from '../context/settings';
import type { ApiRequest } from '../http/address';
import type { PreparedCall } from '../http/exchange';
import type { Unknown } from '../http/outcome';
import type { Endpoint } from '../../service/endpoints';
import { forgetOldest } from './forgetOldest';

/** A call that was sent, and of which nobody knows what it has done. */
export type Doubt = {
	endpoint: Endpoint;
	/** The id of what it was about. */
	about: string | undefined;
	/** How it ended. */
	outcome: Unknown;
	/** The executions that sent it. */
	executions: readonly unknown[];
	/** Of a call that creates something. */
	creation?: Creation;
};

/** What may have been created, and when. All times in milliseconds of the transport's clock. */
export type Creation = {
	/** Calls of the same identity leave the same effect. */
	identity: string;
	/** As it was sent. A later try of the same item may ask otherwise: an expression such as `$now` gives another value. */
	call: PreparedCall;
	request: ApiRequest;
	firstSent: Instant;
	lastSentAt: number;
	/** An effect that is not there by then will not come. */
	certainAt: number;
	/** How often it was sent in such a way that its effect may come late. */
	times: number;
	/** The id of what it has created, where that was looked for on behalf of another call. */
	found?: string;
};

/** Far more than an n8n has at a time: a lost answer is rare, and most are cleared up within seconds. */
const MOST = 5_000;

/**
 * The calls in doubt of this process, each under the item that made it. A later try of the item (Retry On Fail, another try of
 * a tool call, Retry execution) goes on from here instead of sending again.
 */
export class Doubts {
	private readonly byName = new Map<string, Doubt>();

	get(name: string | undefined): Doubt | undefined {
		return name === undefined ? undefined : this.byName.get(name);
	}

	creation(name: string | undefined): (Doubt & { creation: Creation }) | undefined {
		const doubt = this.get(name);
		return doubt?.creation && { ...doubt, creation: doubt.creation };
	}

	/** Those of an item, by its name, as they are now. */
	ofItem(item: string): Array<[string, Doubt]> {
		return [...this.byName].filter(([name]) => name.startsWith(`${item} `));
	}

	note(name: string | undefined, doubt: Doubt): void {
		if (name === undefined) return;
		this.byName.delete(name);
		this.byName.set(name, doubt);
		forgetOldest(this.byName, MOST);
	}

	clear(name: string | undefined): void {
		if (name !== undefined) this.byName.delete(name);
	}

	/** Other calls that were given up, or stopped, and whose effect would be taken for that of this one. */
	mistakable(name: string | undefined, { identity, firstSent }: Creation): Creation[] {
		const others = [...this.byName].flatMap(([other, { creation }]) => (creation && other !== name ? [creation] : []));
		return others.filter((other) => other.identity === identity && other.certainAt > firstSent.at);
	}
}

/** The outcome of a call during which the execution was cancelled. */
export const CUT_SHORT: Unknown = { kind: 'unknown', reason: 'the execution was cancelled', late: true };
