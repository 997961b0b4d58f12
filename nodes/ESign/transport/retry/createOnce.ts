import type { Instant } from '../context/settings';
import type { IDataObject } from 'n8n-workflow';
import { asThrown } from '../errors/asThrown';
import { refusal } from '../errors/failure';
import { TurnTooLate } from '../pacing/oneAtATime';
import { Cancelled } from '../pacing/waiting';
import { executionOf } from '../context/context';
import type { ApiRequest } from '../http/address';
import type { LookFirstEndpoint } from '../../service/endpoints';
import { Attempts } from './attempts';
import { CUT_SHORT, type Creation, type Doubt } from '../session/doubts';
import type { Errand } from './errand';
import { createdOtherwise, exhausted, outOfTime } from './givingUp';
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
	const { session, site } = errand;
	const { oneAtATime, returned } = session.state.effects;
	const pursuit = new Pursuit(errand);
	try {
		for (;;) {
			const created = await oneAtATime.run(pursuit.identity, session.settings.clock, session, async () => {
				const body = await pursuit.run();
				if (body) returned.add(String(body.id));
				return body;
			});
			if (created) return created;
		}
	} catch (error) {
		if (error instanceof TurnTooLate) throw outOfTime(site, 'another call creates the very same', pursuit.isInDoubt);
		if (error instanceof Cancelled) {
			if (error.sent !== undefined) pursuit.lost(error.sent, CUT_SHORT);
			error.mayHaveHappened ||= pursuit.isInDoubt;
		}
		throw asThrown(error);
	}
}

/** One call from its first send, which may have been an earlier try's, to its end. */
class Pursuit {
	/** As this try asks for it. */
	private readonly asked: Errand;

	/** As it was asked for when it was sent first. */
	private errand: Errand;

	private reconciler: Reconciler;

	private readonly attempts: Attempts;

	private doubt: (Doubt & { creation: Creation }) | undefined;

	/** Of all sends so far whose answer was lost. */
	private firstSent: Instant | undefined;

	private times: number;

	constructor(errand: Errand) {
		const { session, name, site } = errand;
		this.doubt = session.state.effects.doubts.creation(name);
		this.asked = errand;
		const { call, request, asked } = this.doubt?.creation ?? errand;
		this.errand = { ...errand, call, request, asked };
		this.reconciler = reconcilerOf(this.errand);
		this.attempts = new Attempts(session, site);
		this.firstSent = this.doubt?.creation.firstSent;
		this.times = this.doubt?.creation.times ?? 0;
	}

	/** Calls of the same identity would leave the same effect. */
	get identity(): string {
		return `${this.errand.session.service.baseUrl} ${this.reconciler.identity}`;
	}

	get isInDoubt(): boolean {
		return this.doubt !== undefined;
	}

	/** @returns undefined if the call is to go on under another identity, and so to wait for its turn there */
	async run(): Promise<IDataObject | undefined> {
		const { identity } = this;
		for (;;) {
			if (this.doubt) {
				const body = await this.effectOf(this.doubt);
				if (body) return body;
				if (this.identity !== identity) return undefined;
			}
			const { outcome, sent } = await this.attempts.send(this.errand.call);
			if (outcome.kind === 'refused') throw refusal(this.errand.site, outcome.status, outcome.body);
			if (outcome.kind === 'unknown') {
				this.lost(sent, outcome);
				continue;
			}
			if (this.times > 0) {
				const search = searchOf(this.errand, this.firstSent);
				await tellOfTwins(this.errand.session, this.reconciler, search, String(outcome.body.id));
			}
			return outcome.body;
		}
	}

	/** Notes that nobody knows what the request has done that was sent at that time. */
	lost(sent: Instant, outcome: Unknown): void {
		const { session, call, request, name, asked } = this.errand;
		const { settings, state, context } = session;
		const now = settings.clock.now();
		const restedAt = now + this.attempts.backoffMs(outcome);
		if (outcome.late) this.times += 1;
		this.firstSent ??= sent;
		const creation = {
			identity: this.identity,
			call,
			request,
			asked,
			firstSent: this.firstSent,
			lastSentAt: sent.at,
			certainAt: outcome.late
				? Math.max(restedAt, sent.at + Math.max(...settings.looksMs), now + settings.lateEffectMs)
				: restedAt,
			times: this.times,
		};
		this.doubt = { outcome, execution: executionOf(context), creation };
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
		const isCorrected = this.isCorrected(creation);
		if (found && isCorrected && !this.reconciler.becomes?.(this.asked.request)) {
			const execution = executionOf(session.context);
			// Only a person who was told runs it again in another execution.
			if (doubt.toldTo === undefined || doubt.toldTo === execution) {
				session.state.effects.doubts.note(name, { ...doubt, toldTo: execution });
				throw createdOtherwise(site, this.reconciler.thing, found.id);
			}
			session.state.effects.returned.add(found.id);
			this.askAnew();
			return undefined;
		}
		const body = found && (await this.reconciler.adopt(searchOf(this.errand, this.firstSent), found));
		this.doubt = undefined;
		session.state.effects.doubts.clear(name);
		if (body) return body;
		if (isCorrected) this.askAnew();
		if (this.times < MOST_TIMES && !this.attempts.areUsedUp) return undefined;
		throw exhausted(site, outcome, this.attempts.spent, 'looked for');
	}

	/** Whether a person has corrected the item since, so that something else is asked for now than what is in doubt. */
	private isCorrected({ asked, request }: Creation): boolean {
		return this.asked.asked !== asked && spelt(this.asked.request) !== spelt(request);
	}

	/** Nothing of what was asked for before is wanted any more. */
	private askAnew(): void {
		this.errand = this.asked;
		this.reconciler = reconcilerOf(this.asked);
		this.doubt = undefined;
		this.firstSent = undefined;
		this.times = 0;
		this.errand.session.state.effects.doubts.clear(this.errand.name);
	}
}

/** What a request asks for. */
function spelt({ path, body, contents }: ApiRequest): string {
	return JSON.stringify([path, { ...body, files: contents ?? body?.files }]);
}

function reconcilerOf({ call, request }: Errand): Reconciler {
	return RECONCILERS[call.endpoint as LookFirstEndpoint](request);
}
