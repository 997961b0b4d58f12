import type { Instant } from '../context/settings';
import type { IDataObject } from 'n8n-workflow';
import { asThrown } from '../errors/asThrown';
import { refusal } from '../errors/failure';
import { TurnTooLate } from '../pacing/oneAtATime';
import { Cancelled } from '../pacing/waiting';
import { executionOf } from '../context/context';
import type { LookFirstEndpoint } from '../../service/endpoints';
import { Attempts } from './attempts';
import { CUT_SHORT, type Creation, type Doubt } from '../session/doubts';
import type { Session } from '../session/session';
import type { Errand } from './errand';
import { exhausted, outOfTime } from './givingUp';
import { RECONCILERS, tellOfTwins, type Reconciler } from './lookFirst';
import { lookUntilCertain, searchOf } from './looks';
import type { Unknown } from '../http/outcome';

/** While its effect may come late, a call is sent this often at most, however many attempts are left. */
const MOST_TIMES = 2;

/**
 * For calls that create something. After a lost answer its effect is looked for until it is certain that there is none, and
 * only then is the call sent again (docs/architecture.md section 4, "What looking first means"). If an earlier try of the
 * item has left the call in doubt, this one goes on where that one ended.
 */
export async function createOnce(errand: Errand): Promise<IDataObject> {
	const { returned } = errand.session.state.effects;
	const pursuit = new Pursuit(errand);
	try {
		return await inTurn(errand, pursuit.reconciler, pursuit.isInDoubt, async () => {
			const body = await pursuit.run();
			returned.add(String(body.id));
			return body;
		});
	} catch (error) {
		if (error instanceof Cancelled) {
			if (error.sent !== undefined) pursuit.lost(error.sent, CUT_SHORT);
			error.mayHaveHappened ||= pursuit.isInDoubt;
		}
		throw asThrown(error);
	}
}

/** Calls of the same identity would leave the same effect: they, and the looks for it, go one after the other. */
export async function inTurn<Result>(
	{ session, site }: Errand,
	reconciler: Reconciler,
	isInDoubt: boolean,
	work: () => Promise<Result>,
): Promise<Result> {
	const { settings, state } = session;
	try {
		return await state.effects.oneAtATime.run(identityIn(session, reconciler), settings.clock, session, work);
	} catch (error) {
		if (error instanceof TurnTooLate) throw outOfTime(site, 'another call creates the very same', isInDoubt);
		throw asThrown(error);
	}
}

/** One call from its first send, which may have been an earlier try's, to its end. */
class Pursuit {
	/** As it was asked for when it was sent first: an expression such as `$now` gives another value at each try. */
	private readonly errand: Errand;

	readonly reconciler: Reconciler;

	private readonly attempts: Attempts;

	private doubt: (Doubt & { creation: Creation }) | undefined;

	/** Of all sends so far whose answer was lost. */
	private firstSent: Instant | undefined;

	private times: number;

	constructor(errand: Errand) {
		const { session, name, site } = errand;
		this.doubt = session.state.effects.doubts.creation(name);
		const { call, request } = this.doubt?.creation ?? errand;
		this.errand = { ...errand, call, request };
		this.reconciler = reconcilerOf(this.errand);
		this.attempts = new Attempts(session, site);
		this.firstSent = this.doubt?.creation.firstSent;
		this.times = this.doubt?.creation.times ?? 0;
	}

	get isInDoubt(): boolean {
		return this.doubt !== undefined;
	}

	async run(): Promise<IDataObject> {
		// Before its turn came, another execution may have looked for what the call has left.
		this.doubt = this.errand.session.state.effects.doubts.creation(this.errand.name);
		for (;;) {
			if (this.doubt) {
				const body = await this.effectOf(this.doubt);
				if (body) return body;
			}
			const { outcome, sent } = await this.attempts.send(this.errand.call);
			if (outcome.kind === 'refused') throw refusal(this.errand.site, outcome.status, outcome.body);
			if (outcome.kind === 'unknown') {
				this.lost(sent, outcome);
				continue;
			}
			if (this.times > 0) {
				const search = searchOf(this.errand, { firstSent: this.firstSent });
				await tellOfTwins(this.errand.session, this.reconciler, search, String(outcome.body.id));
			}
			return outcome.body;
		}
	}

	/** Notes that nobody knows what the request has done that was sent at that time. */
	lost(sent: Instant, outcome: Unknown): void {
		const { session, call, request, name } = this.errand;
		const { settings, state, context } = session;
		const now = settings.clock.now();
		const restedAt = now + this.attempts.backoffMs(outcome);
		if (outcome.late) this.times += 1;
		this.firstSent ??= sent;
		const creation = {
			identity: identityIn(session, this.reconciler),
			call,
			request,
			firstSent: this.firstSent,
			lastSentAt: sent.at,
			certainAt: outcome.late
				? Math.max(restedAt, sent.at + Math.max(...settings.looksMs), now + settings.lateEffectMs)
				: restedAt,
			times: this.times,
			found: this.doubt?.creation.found,
		};
		this.doubt = { endpoint: call.endpoint, about: undefined, outcome, executions: [executionOf(context)], creation };
		state.effects.doubts.note(name, this.doubt);
	}

	/**
	 * What the requests in doubt have done.
	 *
	 * @returns the response that was lost, or undefined if the call is to be sent again
	 * @throws NodeApiError if it cannot be told, or if nothing was created and the call is not to be sent again
	 */
	private async effectOf(doubt: Doubt & { creation: Creation }) {
		const { outcome, creation } = doubt;
		const { session, name, site } = this.errand;
		const found = await lookUntilCertain(this.errand, this.reconciler, creation, outcome);
		const body = found && (await this.reconciler.adopt(searchOf(this.errand, creation), found));
		this.doubt = undefined;
		session.state.effects.doubts.clear(name);
		if (body) return body;
		if (this.times < MOST_TIMES && !this.attempts.areUsedUp) return undefined;
		throw exhausted(site, outcome, this.attempts.spent, 'looked for');
	}
}

/** What tells the effect of a call from that of others, of all services. */
function identityIn({ service }: Session, { identity }: Reconciler): string {
	return `${service.baseUrl} ${identity}`;
}

/** How to find out what a creating call has left. */
export function reconcilerOf({ call, request }: Pick<Errand, 'call' | 'request'>): Reconciler {
	return RECONCILERS[call.endpoint as LookFirstEndpoint](request);
}
