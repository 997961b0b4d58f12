/**
 * The seven event types (docs/service.md section 6), as the trigger and the webhook operations
 * offer them.
 */
export const EVENT_OPTIONS = [
	{
		name: 'Document Cancelled',
		value: 'document.cancelled',
		description: 'The sender withdrew the document',
	},
	{
		name: 'Document Completed',
		value: 'document.completed',
		description: 'Everyone has signed and the PDF is sealed',
	},
	{
		name: 'Document Declined',
		value: 'document.declined',
		description: 'A recipient declined, which ends the document',
	},
	{
		name: 'Document Expired',
		value: 'document.expired',
		description: 'The document passed its expiry date unsigned',
	},
	{
		name: 'Document Sent',
		value: 'document.sent',
		description: 'The document went out for signature',
	},
	{
		name: 'Recipient Signed',
		value: 'recipient.signed',
		description: 'One recipient has signed; others may still be pending',
	},
	{
		name: 'Recipient Viewed',
		value: 'recipient.viewed',
		description: 'A recipient opened the document for the first time',
	},
] as const;

export type EventType = (typeof EVENT_OPTIONS)[number]['value'];

const EVENT_TYPES: ReadonlySet<unknown> = new Set(EVENT_OPTIONS.map(({ value }) => value));

/** Whether a value is one of the service's event types. */
export function isEventType(value: unknown): value is EventType {
	return EVENT_TYPES.has(value);
}
