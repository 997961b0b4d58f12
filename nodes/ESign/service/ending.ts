import type { EventType } from './events';
import type { Document } from './wire';

/** The events that end a document (docs/service.md section 6). */
export const ENDING_EVENTS = [
	'document.completed',
	'document.declined',
	'document.cancelled',
	'document.expired',
] as const satisfies readonly EventType[];

export function isEndingEvent(event: string): boolean {
	return (ENDING_EVENTS as readonly string[]).includes(event);
}

/**
 * Whether a document stays as it is: completed, declined, cancelled or expired (docs/service.md
 * section 3).
 */
export function hasEnded({ status }: Pick<Document, 'status'>): boolean {
	return status !== 'draft' && status !== 'in_progress';
}
