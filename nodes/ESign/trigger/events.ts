import type { INodePropertyOptions } from 'n8n-workflow';
import type { EventType } from '../transport';

type EventOption = INodePropertyOptions & { value: EventType };

/** The seven event types of docs/service.md section 6, as the Trigger On list shows them. */
export const EVENT_OPTIONS: EventOption[] = [
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
];

const EVENT_TYPES: ReadonlySet<string> = new Set(EVENT_OPTIONS.map(({ value }) => value));

/** Whether a value is one of the service's event types. */
export function isEventType(value: unknown): value is EventType {
	return typeof value === 'string' && EVENT_TYPES.has(value);
}

/** An expression for the events chosen, by name; more than two are counted, for lack of room on the canvas. */
export function eventsSubtitle(): string {
	const names = Object.fromEntries(EVENT_OPTIONS.map(({ value, name }) => [value, name]));
	const chosen = '$parameter["events"]';
	return `={{ ${chosen}.length > 2 ? ${chosen}.length + " events" : ${chosen}.map((event) => (${JSON.stringify(names)})[event]).join(", ") }}`;
}
