/**
 * docs/service.md section 2, Field: the types in the order of the dropdown, with the width and
 * height that a hand or a text needs, in points: 144 x 18 unless another one is said.
 */
const TYPES: Record<string, readonly [name: string, width?: number, height?: number]> = {
	CHECKBOX: ['Checkbox', 12, 12],
	COMPANY: ['Company'],
	DATE: ['Date', 96],
	DROPDOWN: ['Dropdown'],
	EMAIL: ['Email'],
	INITIALS: ['Initials', 60, 28],
	NAME: ['Name'],
	NUMBER: ['Number', 96],
	PHONE: ['Phone', 96],
	// For each option.
	RADIO_GROUP: ['Radio Group', 144, 16],
	SIGNATURE: ['Signature', 144, 36],
	STAMP: ['Stamp', 108, 72],
	TEXT: ['Text'],
	TEXTAREA: ['Text Area', 216, 54],
	TITLE: ['Title'],
};

/** As a dropdown has them. */
export const FIELD_TYPES = Object.fromEntries(
	Object.entries(TYPES).map(([value, [name]]) => [value, [name] as const]),
);

interface Sized {
	type?: string;
	dropdownOptions?: readonly string[];
}

/** In points. Of a radio group, each option is a line. */
export function sizeOf({ type = '', dropdownOptions = [] }: Sized) {
	const [, width = 144, height = 18] = TYPES[type] ?? [];
	const lines = type === 'RADIO_GROUP' ? Math.max(1, dropdownOptions.length) : 1;
	return { width, height: height * lines };
}

/** Those with several lines begin where their text does, and need the room below it. */
export function growsDown(type?: string): boolean {
	return type === 'TEXTAREA' || type === 'RADIO_GROUP';
}
