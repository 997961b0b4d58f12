import { ApiError, invalid } from '../http/errors';
import type { Recipient, SignDocument } from '../state/entities';
import { newId, randomText } from '../state/ids';
import type { State } from '../state/state';
import type { RawRecipientStatus, Routing } from '../state/vocabulary';

const MAX_RECIPIENTS = 10;

/** What makes a recipient, wherever it comes from. */
export type NewRecipient = Pick<Recipient, 'name' | 'email'> &
	Partial<Pick<Recipient, 'type' | 'phone' | 'pin' | 'role'>>;

/**
 * The rules over a list of recipients of docs/service.md sections 7 and 8: at most 10, and no
 * e-mail address twice.
 */
export function checkRecipientList(recipients: ReadonlyArray<{ email: string }>): void {
	if (recipients.length > MAX_RECIPIENTS) {
		throw new ApiError('max_recipients_exceeded', { suffix: String(MAX_RECIPIENTS) });
	}
	const seen = new Set<string>();
	for (const { email } of recipients) {
		const address = email.toLowerCase();
		if (seen.has(address)) throw new ApiError('duplicate_email', { suffix: email });
		seen.add(address);
	}
}

/** Makes a recipient and lets it be found by its id and by its signing token. */
export function addRecipient(state: State, documentId: string, input: NewRecipient): Recipient {
	const recipient: Recipient = {
		id: newId('rcp'),
		name: input.name,
		email: input.email,
		type: input.type ?? 'signer',
		phone: input.phone ?? null,
		pin: input.pin || null,
		wrongPins: 0,
		role: input.role ?? null,
		status: 'WAITING',
		signedAt: null,
		signingToken: randomText(32),
	};
	const place = { documentId, recipientId: recipient.id };
	state.recipients.set(recipient.id, place);
	state.signingTokens.set(recipient.signingToken, place);
	return recipient;
}

export function signersOf(document: SignDocument): Recipient[] {
	return document.recipients.filter(({ type }) => type === 'signer');
}

/**
 * The internal status of each recipient at the moment a document goes out (docs/service.md section
 * 3): with parallel routing every signer is asked at once, with sequential routing the first one in
 * the list; a cc waits for the finished document.
 */
export function statusesOnSending(
	recipients: readonly Recipient[],
	routing: Routing,
): RawRecipientStatus[] {
	const first = recipients.findIndex(({ type }) => type === 'signer');
	return recipients.map(({ type }, index) =>
		type === 'signer' && (routing === 'parallel' || index === first) ? 'REQUESTED' : 'WAITING',
	);
}

/**
 * With sequential routing, asks the first signer who still waits once nobody before them is
 * outstanding.
 */
export function askNext(document: SignDocument): void {
	if (signersOf(document).some(({ status }) => status === 'REQUESTED' || status === 'VIEWED'))
		return;
	const next = signersOf(document).find(({ status }) => status === 'WAITING');
	if (next) next.status = 'REQUESTED';
}

/**
 * PUT recipients: a full replacement. Somebody who is named again, by e-mail address, keeps the id,
 * so that their fields stay theirs; fields of people who are gone, or who became a cc, lose their
 * recipient.
 */
export function replaceRecipients(
	state: State,
	document: SignDocument,
	inputs: readonly NewRecipient[],
): void {
	if (document.status !== 'draft') throw new ApiError('document_not_draft');
	checkRecipientList(inputs);
	const before = new Map(
		document.recipients.map((recipient) => [recipient.email.toLowerCase(), recipient]),
	);
	document.recipients = inputs.map((input) => {
		const kept = before.get(input.email.toLowerCase());
		if (!kept) return addRecipient(state, document.id, input);
		before.delete(input.email.toLowerCase());
		return Object.assign(kept, {
			name: input.name,
			email: input.email,
			type: input.type ?? 'signer',
			phone: input.phone ?? null,
			pin: input.pin || null,
		});
	});
	for (const gone of before.values()) {
		state.recipients.delete(gone.id);
		state.signingTokens.delete(gone.signingToken);
	}
	const signers = new Set(signersOf(document).map(({ id }) => id));
	for (const field of document.fields) {
		if (field.recipientId && !signers.has(field.recipientId)) field.recipientId = null;
	}
}

/** The recipient, or 404 recipient_not_found. */
export function requireRecipient(document: SignDocument, recipientId: string): Recipient {
	const recipient = document.recipients.find(({ id }) => id === recipientId);
	if (!recipient) throw new ApiError('recipient_not_found');
	return recipient;
}

/** Refuses a document that nobody would sign; docs/service.md has no code for it. */
export function requireSigner(recipients: ReadonlyArray<Pick<NewRecipient, 'type'>>): void {
	if (recipients.every(({ type }) => type === 'cc'))
		throw invalid('recipients', 'must have at least one signer');
}
