import type { Document } from '../client';

/**
 * A document with the email addresses of those who were asked and have not signed: one text, in a
 * table beside the status.
 */
export function withWaitingFor({ id, status, ...document }: Document) {
	const asked = status === 'in_progress' ? document.recipients : [];
	const missing = asked.filter((recipient) => ['sent', 'viewed'].includes(recipient.status));
	return { id, status, waiting_for: missing.map(({ email }) => email).join(', '), ...document };
}
