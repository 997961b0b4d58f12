import { ApiError, type ErrorDetail } from '../http/errors';
import { adviceFor, plausibleValue, signedAs, valueFits } from './fields/values';
import type { Field, Recipient, SignDocument } from '../state/entities';
import { PUBLIC_RECIPIENT_STATUS } from '../state/vocabulary';
import type { World } from '../state/world';
import { finish } from './completion';
import { exclusively } from './exclusive';
import { requireSource } from './fields/placing';
import { note, requireDocument, requireInProgress } from './transitions';
import { addRecipient, askNext, requireRecipient, signersOf } from './recipients';

/** Whether this person fills this field: theirs, and not fixed by the sender. */
export function mayFill(field: Field, recipient: Recipient): boolean {
	return field.recipientId === recipient.id && field.fillMode === 'SIGNER_FILLED';
}

/** Whether it is this person's turn. */
export function maySign(document: SignDocument, recipient: Recipient): boolean {
	return (
		document.status === 'in_progress' &&
		recipient.type === 'signer' &&
		['sent', 'viewed'].includes(PUBLIC_RECIPIENT_STATUS[recipient.status])
	);
}

function requireTurn(document: SignDocument, recipient: Recipient): void {
	requireInProgress(document);
	if (!maySign(document, recipient)) throw new ApiError('recipient_not_active');
}

/**
 * The document and the person that a recipient id names, in either mode; 404 recipient_not_found.
 */
export function findPerson(
	world: World,
	recipientId: string,
): { document: SignDocument; recipient: Recipient } {
	const place = world.state.recipients.get(recipientId);
	if (!place) throw new ApiError('recipient_not_found');
	const document = requireDocument(world, place.documentId);
	return { document, recipient: requireRecipient(document, recipientId) };
}

function open(world: World, document: SignDocument, recipient: Recipient): void {
	if (recipient.status !== 'REQUESTED') return;
	recipient.status = 'VIEWED';
	note(world, document, 'Document opened', recipient.email);
	world.events.emitAbout(recipient, document, 'recipient.viewed');
}

/**
 * The person opens the document. Only the first open is an event (docs/service.md section 6); a
 * later visit changes nothing.
 */
export function viewDocument(world: World, recipientId: string): Promise<void> {
	const { document, recipient } = findPerson(world, recipientId);
	return exclusively(document, () => {
		if (recipient.status === 'SIGNED') return;
		requireTurn(document, recipient);
		open(world, document, recipient);
	});
}

/** The values a person ends up with, by field id, or a validation_error that names each bad one. */
function collectValues(
	document: SignDocument,
	recipient: Recipient,
	input: { values?: Record<string, string>; fillMissing?: boolean },
	now: Date,
): Map<string, string> {
	const given = new Map(Object.entries(input.values ?? {}));
	const details: ErrorDetail[] = [];
	const values = new Map<string, string>();
	const known = new Set<string>();
	for (const field of document.fields.filter((one) => mayFill(one, recipient))) {
		const name = given.has(field.id) || field.key === null ? field.id : field.key;
		known.add(name);
		let value = given.get(name) || (field.value ?? '');
		if (value === '' && field.required) value = signedAs(field, recipient);
		if (value === '' && field.required && input.fillMissing)
			value = plausibleValue(field, recipient, now);
		if (value === '' && field.required)
			details.push({ field: `values.${field.id}`, message: 'is required' });
		else if (value !== '' && !valueFits(field, value)) {
			details.push({ field: `values.${name}`, message: adviceFor(field) });
		}
		if (value !== '') values.set(field.id, value);
	}
	for (const name of given.keys()) {
		if (!known.has(name))
			details.push({ field: `values.${name}`, message: 'is not a field this person fills in' });
	}
	if (details.length > 0) throw new ApiError('validation_error', { details });
	return values;
}

/**
 * The person finishes; the last one completes and seals the document (docs/service.md section 3).
 */
export function signDocument(
	world: World,
	recipientId: string,
	input: { values?: Record<string, string>; fillMissing?: boolean } = {},
): Promise<void> {
	const { document, recipient } = findPerson(world, recipientId);
	return exclusively(document, async () => {
		requireTurn(document, recipient);
		requireSource(document);
		const signedAt = world.timeline.date();
		const values = collectValues(document, recipient, input, signedAt);
		open(world, document, recipient);
		const what = 'Document signed';
		const others = signersOf(document).filter(
			(one) => one !== recipient && one.status !== 'REASSIGNED',
		);
		const isLast = others.every(({ status }) => status === 'SIGNED');
		const finished =
			isLast && document.source
				? await finish(world.state.workspace, document, document.source, {
						recipient,
						values,
						completedAt: signedAt,
						what,
					})
				: undefined;
		for (const field of document.fields) field.value = values.get(field.id) ?? field.value;
		Object.assign(recipient, { status: 'SIGNED', signedAt });
		note(world, document, what, recipient.email);
		world.events.emitAbout(recipient, document, 'recipient.signed');
		if (!finished) {
			if (document.routing === 'sequential') askNext(document);
			return;
		}
		Object.assign(document, { ...finished, status: 'completed', completedAt: signedAt });
		note(world, document, 'Document completed and sealed');
		for (const cc of document.recipients.filter(({ type }) => type === 'cc'))
			cc.status = 'REQUESTED';
		world.events.emit(document, 'document.completed');
	});
}

/** The person refuses, which ends the document (docs/service.md section 3). */
export function declineDocument(world: World, recipientId: string): Promise<void> {
	const { document, recipient } = findPerson(world, recipientId);
	return exclusively(document, () => {
		requireTurn(document, recipient);
		document.status = 'declined';
		note(world, document, 'Document declined', recipient.email);
		world.events.emitAbout(recipient, document, 'document.declined');
	});
}

/**
 * The person forwards the document to somebody else, who takes over their turn and their fields.
 */
export function reassignRecipient(
	world: World,
	recipientId: string,
	to: { name: string; email: string },
): Promise<Recipient> {
	const { document, recipient } = findPerson(world, recipientId);
	return exclusively(document, () => {
		requireInProgress(document);
		const waiting = recipient.type === 'signer' && recipient.status === 'WAITING';
		if (!waiting) requireTurn(document, recipient);
		const email = to.email.toLowerCase();
		if (document.recipients.some((other) => other.email.toLowerCase() === email)) {
			throw new ApiError('duplicate_email', { suffix: to.email });
		}
		const { type, role } = recipient;
		const successor = addRecipient(world.state, document.id, { ...to, type, role });
		successor.status = waiting ? 'WAITING' : 'REQUESTED';
		recipient.status = 'REASSIGNED';
		document.recipients.splice(document.recipients.indexOf(recipient) + 1, 0, successor);
		for (const field of document.fields) {
			if (field.recipientId === recipient.id) field.recipientId = successor.id;
		}
		note(world, document, `Document reassigned to ${to.email}`, recipient.email);
		return successor;
	});
}
