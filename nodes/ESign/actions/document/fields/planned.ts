import type { FieldInput } from '../../../client';
import type { DocumentText } from './documentText';
import type { FieldsRequest } from './read';
import type { NamedRecipient } from './recipients';

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
