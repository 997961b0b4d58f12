/**
 * The closed lists of docs/service.md. Types, validation, the interface description and the
 * controls all derive from these.
 */

export const MODES = ['LIVE', 'TEST'] as const;
export type Mode = (typeof MODES)[number];

export const DOCUMENT_STATUSES = [
	'draft',
	'in_progress',
	'completed',
	'declined',
	'cancelled',
	'expired',
] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Internal recipient statuses (PUT recipients answers with these) and the public form of each. */
export const PUBLIC_RECIPIENT_STATUS = {
	WAITING: 'waiting',
	REQUESTED: 'sent',
	VIEWED: 'viewed',
	SIGNED: 'signed',
	REASSIGNED: 'reassigned',
} as const;
export type RawRecipientStatus = keyof typeof PUBLIC_RECIPIENT_STATUS;
export type RecipientStatus = (typeof PUBLIC_RECIPIENT_STATUS)[RawRecipientStatus];

export const RECIPIENT_TYPES = ['signer', 'cc'] as const;
export type RecipientType = (typeof RECIPIENT_TYPES)[number];

export const ROLE_TYPES = ['SIGNER', 'CC'] as const;
export type RoleType = (typeof ROLE_TYPES)[number];

export const TEMPLATE_STATUSES = ['PUBLISHED', 'DRAFT'] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

export const ROUTINGS = ['parallel', 'sequential'] as const;
export type Routing = (typeof ROUTINGS)[number];

export const FIELD_TYPES = [
	'SIGNATURE',
	'INITIALS',
	'DATE',
	'TEXT',
	'CHECKBOX',
	'DROPDOWN',
	'EMAIL',
	'RADIO_GROUP',
	'NAME',
	'TITLE',
	'COMPANY',
	'STAMP',
	'TEXTAREA',
	'NUMBER',
	'PHONE',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const FILL_MODES = ['SIGNER_FILLED', 'PREFILLED'] as const;
export type FillMode = (typeof FILL_MODES)[number];

export const FONT_FAMILIES = ['HELVETICA', 'TIMES', 'COURIER'] as const;
export type FontFamily = (typeof FONT_FAMILIES)[number];

export const RADIO_LAYOUTS = ['STACKED', 'INLINE'] as const;
export type RadioLayout = (typeof RADIO_LAYOUTS)[number];

export const EVENT_TYPES = [
	'document.sent',
	'recipient.viewed',
	'recipient.signed',
	'document.completed',
	'document.declined',
	'document.expired',
	'document.cancelled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The events whose payload names a recipient (docs/service.md section 6), and all others. */
export const RECIPIENT_EVENTS = [
	'recipient.viewed',
	'recipient.signed',
	'document.declined',
] as const;
export type RecipientEvent = (typeof RECIPIENT_EVENTS)[number];
export type DocumentEvent = Exclude<EventType, RecipientEvent>;
export const DOCUMENT_EVENTS = EVENT_TYPES.filter(
	(event): event is DocumentEvent => !RECIPIENT_EVENTS.some((one) => one === event),
);

export const SCOPES = [
	'account:read',
	'templates:read',
	'templates:write',
	'documents:read',
	'documents:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export const FILE_VARIANTS = ['signed', 'certificate', 'original'] as const;
export type FileVariant = (typeof FILE_VARIANTS)[number];

export const PLANS = ['FREE', 'BUSINESS', 'ULTIMATE'] as const;
export type Plan = (typeof PLANS)[number];
