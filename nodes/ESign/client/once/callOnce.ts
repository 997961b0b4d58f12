import type { IDataObject } from 'n8n-workflow';
import type { Endpoint } from '../../service/endpoints';
import type { ResponseOf } from '../../service/wire';
import type { ApiRequest } from '../call/address';
import type { Unknown } from '../call/outcome';
import { asThrown } from '../errors/asThrown';
import { refusal } from '../errors/failure';
import { Cancelled } from '../pacing/pause';
import { timestampOf, type Timestamp } from '../settings';
import { Attempts } from './attempts';
import { askedBy, callAsSent, callOf, type Ask, type Call, type Caller } from './call';
import { settleLeftovers } from './unfinished/leftovers';
import { inTurn, reportDuplicates } from './looks';
import { policyOf, type Policy } from './policies';
import { tellOfSpareDraft, tellTaken } from './telling';
import { stillInDoubt } from './unanswered';
import { CUT_SHORT, type Unfinished } from './unfinished/unfinished';

/** A call that is ready to be made, and how it calls other endpoints on its behalf. */
export function callBy(caller: Caller, endpoint: Endpoint, request: ApiRequest): Call {
	const ask: Ask = async <E extends Endpoint>(
		other: E,
		asked: ApiRequest,
		attempts = caller.attempts,
	): Promise<ResponseOf[E]> => {
		try {
			return (await callOnce(callOf({ ...caller, attempts }, other, asked, ask))) as ResponseOf[E];
		} catch (error) {
			// Whether the call on whose behalf it was has had an effect is for that call to say.
			throw error instanceof Cancelled ? new Cancelled() : asThrown(error);
		}
	};
	return callOf(caller, endpoint, request, ask);
}

/**
 * Carries out a call so that its effect happens once, whatever fails on the way (docs/architecture.md section 4). A request of
 * an earlier try, or of anybody else, that asked for the very same and is not through is taken over first.
 *
 * @returns the body of the success response, or of what an earlier request is found to have left
 * @throws Cancelled
 * @throws NodeApiError with everything that is known about the outcome
 */
export async function callOnce(call: Call): Promise<IDataObject> {
	const policy = policyOf(call);
	const alike = policy.alike?.(call);
	if (alike === undefined) return await new OnceCall(call, policy).run();
	await settleLeftovers(call, askedBy(call, alike));
	return await inTurn(call, alike, async () => await new OnceCall(call, policy, alike).run());
}

/** One call from its first request, which may have been an earlier try's, to its end. */
class OnceCall {
	/** As it was asked for when it was sent first: an expression such as `$now` gives another value at each try. */
	private readonly call: Call;

	private readonly attempts: Attempts;

	private readonly one: Unfinished;

	private readonly isTaken: boolean;

	constructor(
		call: Call,
		private readonly policy: Policy,
		alike?: string,
	) {
		const { unfinished } = call.memory;
		const now = timestampOf(call.settings.clock);
		const asked = askedBy(call, alike);
		const taken = policy.isKept ? unfinished.take(asked, now.at) : undefined;
		this.isTaken = taken !== undefined;
		this.one = taken ?? unfinished.begin(asked, now);
		if (taken) unfinished.keep(taken, call.itemTry);
		this.call = taken && alike !== undefined ? callAsSent(call, taken) : call;
		this.attempts = new Attempts(call);
		this.attempts.inDoubt = this.isTaken || call.request.mayBeDone === true;
	}

	async run(): Promise<IDataObject> {
		const { memory, itemTry } = this.call;
		try {
			return await this.pursue();
		} catch (error) {
			if (error instanceof Cancelled) {
				if (error.sent) this.lost(error.sent, CUT_SHORT);
				error.mayHaveHappened ||= this.attempts.inDoubt;
			}
			throw asThrown(error);
		} finally {
			if (this.attempts.inDoubt) memory.unfinished.rest(this.one);
			else memory.unfinished.close(this.one, itemTry);
		}
	}

	private async pursue(): Promise<IDataObject> {
		const { call, policy, attempts, one } = this;
		let isRepeated = this.isTaken;
		for (;;) {
			const found = attempts.inDoubt && isRepeated ? await policy.meet?.(call, one, attempts) : undefined;
			if (found) return this.done(found);
			const { outcome, sent } = await attempts.send(call, (at) => this.sending(at, isRepeated));
			if (outcome.kind === 'refused') return await this.refused(outcome.status, outcome.body);
			if (outcome.kind === 'done') {
				this.done(outcome.body);
				if (isRepeated) await this.tellOfSpares(String(outcome.body.id));
				return outcome.body;
			}
			this.lost(sent, outcome);
			isRepeated = true;
			if (policy.meet) continue;
			if (!attempts.areUsedUp) {
				await attempts.backOff(outcome);
				continue;
			}
			const state = await policy.silent?.(call);
			if (!state) throw attempts.exhausted(outcome);
			return this.done(state);
		}
	}

	/** Kept before it is sent: n8n saves an execution that is stopped, or of a process that ends, as it was at that moment. */
	private sending(sent: Timestamp, isRepeated: boolean): void {
		const { memory, settings, timeoutMs, itemTry } = this.call;
		if (!this.policy.isKept) return;
		if (!isRepeated) this.one.firstSent = sent;
		Object.assign(this.one, { lastSentAt: sent.at, certainAt: sent.at + timeoutMs + settings.lateEffectMs });
		memory.unfinished.keep(this.one, itemTry);
	}

	/** Notes that nobody knows what the request has done that was sent at that time. */
	private lost(sent: Timestamp, outcome: Unknown): void {
		const { settings } = this.call;
		const now = settings.clock.now();
		const restedAt = now + this.attempts.backoffMs(outcome);
		const lateAt = Math.max(restedAt, sent.at + Math.max(...settings.looksMs), now + settings.lateEffectMs);
		if (outcome.late) this.one.times += 1;
		Object.assign(this.one, { lastSentAt: sent.at, certainAt: outcome.late ? lateAt : restedAt, outcome });
		this.attempts.inDoubt = true;
	}

	private done(body: IDataObject): IDataObject {
		this.attempts.inDoubt = false;
		const isRead = this.call.endpoint.startsWith('GET ');
		if (!isRead && typeof body.id === 'string') this.call.memory.returned.add(body.id);
		return body;
	}

	private async refused(status: number, body: unknown): Promise<IDataObject> {
		const { call, policy, attempts } = this;
		const found = attempts.inDoubt ? await policy.refused?.(call, status) : undefined;
		const error = refusal(call, status, body);
		// A repetition that is refused for another reason says nothing of the request before it.
		if (attempts.inDoubt && !found && policy.refusalLeavesOpen?.(status)) throw stillInDoubt(call, error);
		attempts.inDoubt = false;
		if (!found) throw error;
		if (this.isTaken) tellTaken(call, `What was asked for ${call.request.path?.id ?? ''}`);
		return this.done(found);
	}

	private async tellOfSpares(id: string): Promise<void> {
		const { call, policy, one } = this;
		if (policy.alike && one.times > 0) await reportDuplicates(call, one, id);
		if (!policy.alike) tellOfSpareDraft(call, id);
	}
}
