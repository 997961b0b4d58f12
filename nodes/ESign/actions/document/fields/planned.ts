import type { FieldInput } from '../../../client';
import { placeBoxes, type Placement } from './boxes/placeBoxes';
import type { DocumentText } from './documentText';
import { FIELD_VALUES } from './field';
import type { FieldsRequest } from './read';
import type { NamedRecipient } from './recipients';
import type { Match } from './text/match';

/** What the fields of a document are planned from. */
export interface FieldsWanted {
	request: FieldsRequest;
	recipients: readonly NamedRecipient[];
	document: DocumentText;
}

/**
 * A field whose recipient is a place in the list of recipients; undefined while nobody is to fill
 * it.
 */
export interface PlannedField {
	recipient?: number;
	input: Omit<FieldInput, 'recipientId'>;
	/** Whether a tag asks for it. */
	isTag?: boolean;
}

/** A field as it is asked for, and the text that says where it is. */
export interface Row extends Omit<PlannedField, 'input'> {
	field: Omit<Placement, 'match'>;
	match?: Match;
}

/** What the service takes of it: who fills it has an ID there. */
const TAKEN = new Set(FIELD_VALUES.map(({ name }) => name).filter((name) => name !== 'recipient'));

/** Gives each field at a text its box. */
export function placeRows(rows: readonly Row[]): PlannedField[] {
	const atTexts = rows.flatMap(({ match, field }) => (match ? [{ ...field, match }] : []));
	const places = placeBoxes(atTexts);
	return rows.map(({ match, field, ...row }) => {
		const taken = Object.entries(field).filter(([name]) => TAKEN.has(name));
		const place = match ? places.shift() : {};
		const input = { ...Object.fromEntries(taken), ...place } as PlannedField['input'];
		return { ...row, input };
	});
}
