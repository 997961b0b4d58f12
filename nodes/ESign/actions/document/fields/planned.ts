import type { IDataObject } from 'n8n-workflow';
import { placeBoxes, type Place } from './placeBoxes';
import type { DocumentText } from './documentText';
import { FIELD_VALUES } from './field';
import type { FieldsRequest, RequestedField } from './read';
import type { NamedRecipient } from './recipients';
import type { Match } from './text/match';

/** What the fields of a document are planned from. */
export interface Planning {
	request: FieldsRequest;
	recipients: readonly NamedRecipient[];
	document: DocumentText;
}

/** A field that is wanted, by a tag, a list or Automatic. */
export interface WantedField {
	/** A place in the list of recipients; undefined while nobody is to fill it. */
	recipient?: number | undefined;
	/** Whether a tag asks for it. */
	isTag?: boolean;
	field: Omit<RequestedField, 'recipient'>;
	/** The text that says where it is. */
	match?: Match | undefined;
}

export interface PlannedField extends Pick<WantedField, 'recipient' | 'isTag'> {
	/** As the service takes it, but for who fills it: whoever does has an ID there. */
	input: IDataObject & Place & { type: string };
}

/** What the service takes of a field, beside who fills it. */
const TAKEN = new Set(FIELD_VALUES.map(({ name }) => name));

/** Gives each field at a text its box. */
export async function placeFields(wanted: readonly WantedField[]): Promise<PlannedField[]> {
	const atTexts = wanted.flatMap(({ match, field }) => (match ? [{ ...field, match }] : []));
	const places = await placeBoxes(atTexts);
	return wanted.map(({ match, field, ...planned }) => {
		const taken = Object.entries(field).filter(([name]) => TAKEN.has(name));
		const place = match && places.shift();
		return {
			...planned,
			input: { ...Object.fromEntries(taken), ...place } as PlannedField['input'],
		};
	});
}
