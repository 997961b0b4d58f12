import type { WantedField } from './planned';

/**
 * Fractions of the page. Ten rows fill 0.8 of its height: 50 pt each on A4, 47 pt on Letter, with
 * 17 and 16 pt between.
 */
const ROW = { height: 0.06, step: 0.08 };
const BOTTOM = 0.96;
const SIGNATURE = { xNorm: 0.08, widthNorm: 0.38 };
const NAME = { xNorm: 0.48, widthNorm: 0.24 };
const DATE = { xNorm: 0.74, widthNorm: 0.18 };

/**
 * One box per signer, the first on top; none overlaps another or leaves the page for up to ten
 * signers.
 */
export function signatureFields(
	signers: ReadonlyArray<number | undefined>,
	{ pageNumber, addName, addDate }: { pageNumber: number; addName?: boolean; addDate?: boolean },
): WantedField[] {
	return signers.flatMap((recipient, index) => {
		const rowsBelow = signers.length - 1 - index;
		const top = BOTTOM - ROW.height - rowsBelow * ROW.step;
		// Four decimals, a twelfth of a point: no rounding error of a sum reaches the request.
		const place = { pageNumber, yNorm: Number(top.toFixed(4)), heightNorm: ROW.height };
		const fields = [{ ...place, type: 'SIGNATURE', ...SIGNATURE }];
		if (addName) fields.push({ ...place, type: 'NAME', ...NAME });
		if (addDate) fields.push({ ...place, type: 'DATE', ...DATE });
		return fields.map((field) => ({ recipient, field }));
	});
}
