import type { Instant } from '../context/settings';
import type { IDataObject } from 'n8n-workflow';
import { asThrown } from '../errors/asThrown';
import { refusal } from '../errors/failure';
import { lostAnswerHint } from '../pacing/hints';
import { TurnTooLate } from '../pacing/oneAtATime';
import { Cancelled, pause, throwIfCancelled } from '../pacing/waiting';
import { executionOf } from '../context/context';
import type { ApiRequest } from '../http/address';
import type { LookFirstEndpoint } from '../../service/endpoints';
import { Attempts } from './attempts';
import { CUT_SHORT, type Creation, type Doubt } from '../session/doubts';
import type { Errand } from './errand';
import { createdOtherwise, exhausted, inDoubtForGood, outOfTime } from './givingUp';
import { orStop, RECONCILERS, tellOfTwins, type Effect, type Reconciler, type Search } from './lookFirst';
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
		const { call, request } = this.doubt?.creation ?? errand;
		this.errand = { ...errand, call, request };
		this.reconciler = RECONCILERS[call.endpoint as LookFirstEndpoint](request);
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
			if (this.times > 0)
				await tellOfTwins(this.errand.session, this.reconciler, this.search(), String(outcome.body.id));
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
			identity: this.identity,
			call,
			request,
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
		const found = await this.lookUntilCertain(creation, outcome);
		if (found && !isDraft(creation) && this.asksOtherwise(doubt)) {
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
		const body = found && (await this.reconciler.adopt(this.search(), found));
		this.doubt = undefined;
		session.state.effects.doubts.clear(name);
		if (body) return body;
		if (this.asksOtherwise(doubt)) this.askAnew();
		if (this.times < MOST_TIMES && !this.attempts.areUsedUp) return undefined;
		throw exhausted(site, outcome, this.attempts.spent, 'looked for');
	}

	/**
	 * Whether another execution asks for something else than what is in doubt: a person may have corrected it before "Retry
	 * execution". Within one execution only expressions such as `$now` differ.
	 */
	private asksOtherwise({ execution, creation }: Doubt & { creation: Creation }): boolean {
		const { session, request } = this.asked;
		if (execution === executionOf(session.context)) return false;
		return spelt(request) !== spelt(creation.request);
	}

	/** Nothing of what was asked for before is wanted any more. */
	private askAnew(): void {
		const { session, call, request, name } = this.asked;
		this.errand = { ...this.errand, call, request };
		this.reconciler = RECONCILERS[call.endpoint as LookFirstEndpoint](request);
		this.doubt = undefined;
		this.firstSent = undefined;
		this.times = 0;
		session.state.effects.doubts.clear(name);
	}

	/**
	 * Looks a few times: what is there is found early, and what is not there after the last look has not been created. While an
	 * equal call is in doubt as well, only the last look counts, and each of them gets one of what is there.
	 */
	private async lookUntilCertain(creation: Creation, { reason, late }: Unknown): Promise<Effect | undefined> {
		const { session, site, name } = this.errand;
		const { settings, context, signal, deadline } = session;
		const others = session.state.effects.doubts.mistakable(name, creation);
		const certainAt = Math.max(creation.certainAt, ...others.map((other) => other.certainAt));
		const early = late && others.length === 0 ? settings.looksMs : [];
		for (const at of looksAt({ ...creation, certainAt }, early, settings.clock.now())) {
			if (at >= deadline) throw outOfTime(site, reason, true);
			const waitMs = at - settings.clock.now();
			await pause(settings.clock, waitMs, signal);
			throwIfCancelled(signal);
			lostAnswerHint.add(context, waitMs, settings.hintAfterMs);
			const possible = at < certainAt ? await this.glance() : await this.lookHard();
			const search = this.search();
			const found = possible.filter((one) => search.isSince(one));
			if (found.length > 1 + others.length) throw this.search().stop(tooMany(found, this.reconciler.thing));
			if (found[0]) return found[0];
			if (at >= certainAt && possible.length > 0) throw search.stop(perhaps(possible, this.reconciler.thing));
		}
		return undefined;
	}

	/** One request. A service that does not answer it will be asked again. */
	private async glance(): Promise<Effect[]> {
		try {
			return await this.reconciler.find(this.search(1));
		} catch (error) {
			if (error instanceof Cancelled) throw asThrown(error);
			return [];
		}
	}

	private async lookHard(): Promise<Effect[]> {
		const search = this.search();
		const words = `whether the ${this.reconciler.thing} was created is not known`;
		return await orStop(search, words, async () => await this.reconciler.find(search));
	}

	private search(attempts?: number): Search {
		const { session, ask, site } = this.errand;
		const { serverClock, effects } = session.state;
		const firstSent = this.firstSent ?? { at: Infinity, today: Infinity };
		return {
			ask: async (endpoint, request, how) => await ask(endpoint, request, { attempts, ...how }),
			since: () => serverClock.began(firstSent).possible,
			isSince: (entry) => Date.parse(entry.created_at) >= serverClock.began(firstSent).certain,
			isTaken: (id) => effects.returned.has(id),
			stop: (words, cause) => inDoubtForGood(site, words, cause),
		};
	}
}

/** What a request asks for. Each execution uploads its files anew, under other IDs. */
function spelt({ path, body }: ApiRequest): string {
	return JSON.stringify([path, { ...body, files: undefined }]);
}

/** A document that was created takes a correction afterwards. */
function isDraft({ call }: Creation): boolean {
	return call.endpoint === 'POST /documents';
}

/** The times at which to look, from now on. Of those that have passed one is enough. */
function looksAt({ lastSentAt, certainAt }: Creation, looksMs: readonly number[], now: number): number[] {
	if (certainAt <= now) return [certainAt];
	const early = looksMs.map((afterMs) => lastSentAt + afterMs).filter((at) => at < certainAt);
	const passed = early.filter((at) => at <= now).length;
	return [...early.slice(Math.max(0, passed - 1)), certainAt];
}

function tooMany(found: Effect[], thing: string): string {
	const ids = found.map(({ id }) => id).join(', ');
	return `${found.length} ${thing}s fit and it cannot be told which of them is the one: ${ids}`;
}

function perhaps(possible: Effect[], thing: string): string {
	const ids = possible.map(({ id }) => id).join(', ');
	const clocks = 'the clocks of n8n, of the service and of a proxy between them disagree';
	return `whether it created the ${thing} ${ids} or that was there before cannot be told, because ${clocks}`;
}
