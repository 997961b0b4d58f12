import { runOf } from '../../../client';
import type { Item } from '../../../parameters';
import type { PlannedField } from './plan';

/** A hundred items filled from one form need one hint. */
const FIRST = ([first = '']: readonly string[]) => first;

/** Says on the execution which boxes lie on each other: the service takes them, and the signers see one of them. */
export function hintAtOverlaps(item: Item, fields: readonly PlannedField[]): void {
	for (const [index, { input }] of fields.entries()) {
		const earlier = fields.findIndex((field, place) => place < index && overlap(field.input, input));
		if (earlier < 0) continue;
		const which = `Fields ${earlier + 1} and ${index + 1} of item ${item.index} overlap on page ${input.pageNumber}`;
		runOf(item.context).hintAt(FIRST, `${which}. Change their position or size so that signers can see and fill both.`);
		return;
	}
}

/** Edges that touch do not overlap, whatever the rounding error of a sum of decimal fractions. */
const ROUNDING = 1e-6;

function overlap(one: PlannedField['input'], other: PlannedField['input']): boolean {
	return (
		one.pageNumber === other.pageNumber &&
		one.xNorm + one.widthNorm > other.xNorm + ROUNDING &&
		other.xNorm + other.widthNorm > one.xNorm + ROUNDING &&
		one.yNorm + one.heightNorm > other.yNorm + ROUNDING &&
		other.yNorm + other.heightNorm > one.yNorm + ROUNDING
	);
}
