/**
 * The seven event types (docs/service.md section 6), with what the trigger and the webhook
 * operations call them.
 */
export const EVENTS = {
	'document.cancelled': ['Document Cancelled', 'The sender withdrew the document'],
	'document.completed': ['Document Completed', 'Everyone has signed and the PDF is sealed'],
	'document.declined': ['Document Declined', 'A recipient declined, which ends the document'],
	'document.expired': ['Document Expired', 'The document passed its expiry date unsigned'],
	'document.sent': ['Document Sent', 'The document went out for signature'],
	'recipient.signed': ['Recipient Signed', 'One recipient has signed; others may still be pending'],
	'recipient.viewed': ['Recipient Viewed', 'A recipient opened the document for the first time'],
} as const;

export type EventType = keyof typeof EVENTS;

/** Whether a value is one of the service's event types. */
export function isEventType(value: unknown): value is EventType {
	return typeof value === 'string' && Object.hasOwn(EVENTS, value);
}
