import { ApiError } from '../http/errors';
import { EngineGaveUp, finishDocument, type PlacedField } from '../pdf';
import type { Field, Recipient, SignDocument, Workspace } from '../state/entities';
import { PUBLIC_RECIPIENT_STATUS } from '../state/vocabulary';

/** What is drawn for a field: its place and look, its value, and who signed when. */
function placed(
	field: Field,
	recipients: readonly Recipient[],
	values: ReadonlyMap<string, string>,
): PlacedField {
	const recipient = recipients.find(({ id }) => id === field.recipientId);
	const { type, page, xNorm, yNorm, widthNorm, heightNorm } = field;
	return {
		type,
		page,
		xNorm,
		yNorm,
		widthNorm,
		heightNorm,
		value: values.get(field.id) ?? field.value,
		recipientName: recipient?.name ?? '',
		signedAt: recipient?.signedAt ?? null,
		...field.look,
	};
}

export interface Finished {
	sealed: Buffer;
	certificate: Buffer;
}

/**
 * Seals a document as it will be once `last` has signed with `values` at `completedAt`, and writes
 * its certificate. The document itself is not touched, so that a failure to seal leaves everything
 * as it was.
 *
 * @throws ApiError document_not_sealed when that takes too long
 */
export async function finish(...input: Parameters<typeof seal>): Promise<Finished> {
	try {
		return await seal(...input);
	} catch (error) {
		throw error instanceof EngineGaveUp ? new ApiError('document_not_sealed') : error;
	}
}

async function seal(
	{ id, name }: Workspace,
	document: SignDocument,
	source: Buffer,
	last: {
		recipient: Recipient;
		values: ReadonlyMap<string, string>;
		completedAt: Date;
		what: string;
	},
): Promise<Finished> {
	const recipients = document.recipients.map((recipient) => {
		if (recipient === last.recipient)
			return { ...recipient, status: 'SIGNED' as const, signedAt: last.completedAt };
		return recipient.type === 'cc' ? { ...recipient, status: 'REQUESTED' as const } : recipient;
	});
	return await finishDocument({
		id: document.id,
		title: document.title,
		mode: document.mode,
		source,
		fields: document.fields.map((field) => placed(field, recipients, last.values)),
		sender: { id, name },
		createdAt: document.createdAt,
		completedAt: last.completedAt,
		recipients: recipients.map(({ name, email, type, status, signedAt }) => ({
			name,
			email,
			type,
			status: PUBLIC_RECIPIENT_STATUS[status],
			signedAt,
		})),
		trail: [
			...document.trail,
			{ at: last.completedAt, what: last.what, who: last.recipient.email },
			{ at: last.completedAt, what: 'Document completed and sealed', who: null },
		],
	});
}
