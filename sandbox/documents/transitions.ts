import { countApiSend } from './usage';
import { ApiError } from '../http/errors';
import type { Recipient, SignDocument } from '../state/entities';
import { PUBLIC_RECIPIENT_STATUS, type Mode } from '../state/vocabulary';
import type { World } from '../state/world';
import { exclusively } from './exclusive';
import { signersOf, statusesOnSending } from './recipients';

/** The service does not say after how long a document expires (docs/service.md section 10, 20). */
const EXPIRY_DAYS = 30;
const DAY_MS = 86_400_000;

/** The document in this mode, or 404 document_not_found. */
export function requireDocument(world: World, documentId: string, mode?: Mode): SignDocument {
	const document = world.state.documents.find(documentId, mode);
	if (!document) throw new ApiError('document_not_found');
	return document;
}

export function requireInProgress(document: SignDocument): void {
	if (document.status !== 'in_progress') throw new ApiError('document_not_in_progress');
}

export function note(
	world: World,
	document: SignDocument,
	what: string,
	who: string | null = null,
): void {
	document.trail.push({ at: world.timeline.date(), what, who });
}

/** draft to in_progress. `byApi` counts the send; a public link's start is not an API send. */
export function startDocument(world: World, document: SignDocument, byApi: boolean): void {
	const now = world.timeline.date();
	const statuses = statusesOnSending(document.recipients, document.routing);
	document.recipients.forEach(
		(recipient, index) => (recipient.status = statuses[index] ?? 'WAITING'),
	);
	document.status = 'in_progress';
	document.expiresAt = new Date(now.getTime() + EXPIRY_DAYS * DAY_MS);
	note(world, document, 'Document sent for signature');
	if (byApi) countApiSend(world.state, document.mode, now);
	world.timeline.at(document.expiresAt.getTime(), async () => {
		// A document that ended before, or that a reset forgot, has nothing to expire.
		if (world.state.documents.find(document.id) === document && document.status === 'in_progress') {
			await expireDocument(world, document);
		}
	});
	world.events.emit(document, 'document.sent');
}

export function cancelDocument(world: World, document: SignDocument): Promise<void> {
	return exclusively(document, () => {
		requireInProgress(document);
		document.status = 'cancelled';
		note(world, document, 'Document cancelled by the sender');
		world.events.emit(document, 'document.cancelled');
	});
}

export function expireDocument(world: World, document: SignDocument): Promise<void> {
	return exclusively(document, () => {
		requireInProgress(document);
		document.status = 'expired';
		note(world, document, 'Document expired unsigned');
		world.events.emit(document, 'document.expired');
	});
}

/**
 * Signers who were asked and have not signed; a waiting one is not outstanding (docs/service.md
 * section 10, 19).
 */
function outstanding(document: SignDocument): Recipient[] {
	if (document.status !== 'in_progress') return [];
	return signersOf(document).filter(({ status }) =>
		['sent', 'viewed'].includes(PUBLIC_RECIPIENT_STATUS[status]),
	);
}

/**
 * Rule 5 of section 4: reminds everyone outstanding, or one recipient. Returns how many were
 * reminded.
 */
export function remind(world: World, document: SignDocument, recipient?: Recipient): number {
	const eligible = outstanding(document).filter((one) => !recipient || one === recipient);
	if (eligible.length === 0) throw new ApiError('no_recipients_to_remind');
	for (const one of eligible) note(world, document, 'Reminder sent', one.email);
	return eligible.length;
}
