import type { Font } from '../fonts';
import type { Matrix } from './matrix';

/** What `q` saves and `Q` brings back (ISO 32000-1, 8.4 and 9.3), as far as text needs it. */
export interface State {
	/** From the space of the content to points of the page as it is seen. */
	ctm: Matrix;
	/** Undefined where it is missing, or cannot be read. */
	font: Font | undefined;
	size: number;
	charSpace: number;
	wordSpace: number;
	/** 1 is as wide as the font says. */
	scale: number;
	leading: number;
	rise: number;
}

/** At the beginning of a page. */
export function initialState(ctm: Matrix): State {
	return {
		ctm,
		font: undefined,
		size: 0,
		charSpace: 0,
		wordSpace: 0,
		scale: 1,
		leading: 0,
		rise: 0,
	};
}
