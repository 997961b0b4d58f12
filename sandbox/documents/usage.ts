import type { State } from '../state/state';
import type { Mode, Plan } from '../state/vocabulary';

/** API documents that each plan includes in a month (docs/service.md section 8). */
const INCLUDED: Record<Plan, number> = { FREE: 0, BUSINESS: 40, ULTIMATE: 200 };
/** 0.40 dollars for each further document. */
const OVERAGE_CENTS = 40;

export interface Usage {
	used: number;
	included: number;
	billable: number;
	overageCents: number;
	periodStart: Date;
	periodEnd: Date;
}

function periodOf(now: Date): string {
	return now.toISOString().slice(0, 7);
}

/**
 * Counts one document that an API call sent; TEST sends are never counted (docs/service.md section
 * 8).
 */
export function countApiSend(state: State, mode: Mode, now: Date): void {
	if (mode === 'TEST') return;
	const period = periodOf(now);
	state.apiSends.set(period, (state.apiSends.get(period) ?? 0) + 1);
}

/**
 * Usage in the billing period, which without a subscription is the calendar month (docs/service.md
 * section 8).
 */
export function usageAt(state: State, now: Date): Usage {
	const used = state.apiSends.get(periodOf(now)) ?? 0;
	const included = INCLUDED[state.workspace.plan];
	const billable = Math.max(0, used - included);
	return {
		used,
		included,
		billable,
		overageCents: billable * OVERAGE_CENTS,
		periodStart: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
		periodEnd: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
	};
}
