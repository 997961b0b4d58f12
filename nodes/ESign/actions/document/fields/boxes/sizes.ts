/** In points. */
interface Size {
	width: number;
	height: number;
}

const LINE = { width: 144, height: 18 };
const SHORT_LINE = { width: 96, height: 18 };

/** What a hand or a text needs; all others are a line. */
const SIZES: Readonly<Record<string, Size>> = {
	SIGNATURE: { width: 144, height: 36 },
	INITIALS: { width: 60, height: 28 },
	STAMP: { width: 108, height: 72 },
	DATE: SHORT_LINE,
	NUMBER: SHORT_LINE,
	PHONE: SHORT_LINE,
	TEXTAREA: { width: 216, height: 54 },
	CHECKBOX: { width: 12, height: 12 },
};

/** @param options how many a radio group has, one below the other */
export function sizeOf(type: string, options: number): Size {
	if (type === 'RADIO_GROUP') return { width: LINE.width, height: 16 * Math.max(1, options) };
	return SIZES[type] ?? LINE;
}

/** Those with several lines begin where their text does, and need the room below it. */
export function growsDown(type: string): boolean {
	return type === 'TEXTAREA' || type === 'RADIO_GROUP';
}
