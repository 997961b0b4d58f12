/** The closed lists of the service (sandbox/state/vocabulary.ts) as named schemas. */
import {
	DOCUMENT_STATUSES,
	EVENT_TYPES,
	FIELD_TYPES,
	FILE_VARIANTS,
	FILL_MODES,
	MODES,
	PUBLIC_RECIPIENT_STATUS,
	ROLE_TYPES,
	type RawRecipientStatus,
	type RecipientStatus,
} from '../state/vocabulary';
import { oneOf } from './formats';

export const modeSchema = oneOf(MODES, {
	title: 'Mode',
	description: 'Objects of one mode do not exist for keys of the other.',
});

export const documentStatusSchema = oneOf(DOCUMENT_STATUSES, {
	title: 'DocumentStatus',
	description:
		'draft: created, not sent. in_progress: out for signature. completed: everyone signed and the PDF is sealed. ' +
		'declined: a recipient refused. cancelled: withdrawn by the sender. expired: not signed in time.',
});

export const recipientStatusSchema = oneOf(
	Object.values(PUBLIC_RECIPIENT_STATUS) as RecipientStatus[],
	{
		title: 'RecipientStatus',
		description:
			'waiting: not their turn yet. sent: asked, not opened yet. viewed: opened. signed: done. reassigned: forwarded to ' +
			'someone else.',
	},
);

export const rawRecipientStatusSchema = oneOf(
	Object.keys(PUBLIC_RECIPIENT_STATUS) as RawRecipientStatus[],
	{
		title: 'RawRecipientStatus',
		description:
			'The internal form of a recipient status, which replacing recipients answers with.',
	},
);

export const fieldTypeSchema = oneOf(FIELD_TYPES, { title: 'FieldType' });

export const fillModeSchema = oneOf(FILL_MODES, {
	title: 'FillMode',
	description: 'PREFILLED: the value is fixed content that the signer cannot edit.',
});

export const roleTypeSchema = oneOf(ROLE_TYPES, { title: 'RoleType' });

export const eventTypeSchema = oneOf(EVENT_TYPES, { title: 'EventType' });

export const fileVariantSchema = oneOf(FILE_VARIANTS, {
	title: 'FileVariant',
	description:
		'signed: the sealed PDF, once the document is completed. certificate: the audit certificate. original: the merged ' +
		'source before signatures.',
});
