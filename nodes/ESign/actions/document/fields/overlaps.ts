import type { IExecuteFunctions } from 'n8n-workflow';
import type { PlannedField } from './recipients';

/** Runs that were told already: a hundred items filled from one form need one hint. */
const told = new WeakSet<IExecuteFunctions>();

/** Says on the execution which boxes lie on each other: the service takes them, and the signers see one of them. */
export function hintAtOverlaps(context: IExecuteFunctions, itemIndex: number, fields: readonly PlannedField[]): void {
	const [pair] = overlapsOf(fields);
	if (!pair || told.has(context)) return;
	told.add(context);
	const [first, second] = pair.map((index) => index + 1);
	const page = fields[pair[0]]?.input.pageNumber;
	context.addExecutionHints({
		message: `Fields ${first} and ${second} of item ${itemIndex} overlap on page ${page}. Change their position or size so that signers can see and fill both.`,
		type: 'warning',
		location: 'outputPane',
	});
}

/** Edges that touch do not overlap, whatever the rounding error of a sum of decimal fractions. */
const ROUNDING = 1e-6;

/** The places in the list of every two boxes of one page that share an area. */
export function overlapsOf(fields: readonly PlannedField[]): Array<[number, number]> {
	return fields.flatMap(({ input: one }, index) =>
		fields.slice(index + 1).flatMap(({ input: other }, offset): Array<[number, number]> => {
			if (one.pageNumber !== other.pageNumber) return [];
			const apart =
				one.xNorm + one.widthNorm <= other.xNorm + ROUNDING ||
				other.xNorm + other.widthNorm <= one.xNorm + ROUNDING ||
				one.yNorm + one.heightNorm <= other.yNorm + ROUNDING ||
				other.yNorm + other.heightNorm <= one.yNorm + ROUNDING;
			return apart ? [] : [[index, index + 1 + offset]];
		}),
	);
}
