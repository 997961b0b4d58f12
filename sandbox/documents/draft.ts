import type { SignDocument } from '../state/entities';
import { newId } from '../state/ids';
import type { Mode, Routing } from '../state/vocabulary';
import type { World } from '../state/world';
import { note } from './transitions';
import { addRecipient, type NewRecipient } from './recipients';

/** A draft without recipients and fields, which nothing can find before `storeDocument`. */
export function draftDocument(
	world: World,
	input: {
		mode: Mode;
		title: string;
		routing: Routing;
		source: { bytes: Buffer | null; pageCount: number };
	},
): SignDocument {
	const document: SignDocument = {
		id: newId('doc'),
		sequence: 0,
		mode: input.mode,
		title: input.title,
		status: 'draft',
		routing: input.routing,
		recipients: [],
		fields: [],
		source: input.source.bytes,
		pageCount: input.source.pageCount,
		sealed: null,
		certificate: null,
		createdAt: world.timeline.date(),
		expiresAt: null,
		completedAt: null,
		trail: [],
		emitted: new Set(),
	};
	note(world, document, 'Document created');
	return document;
}

/** Puts a finished draft among the documents, where lists and lookups find it. */
export function storeDocument(world: World, document: SignDocument): void {
	document.sequence = world.state.documents.nextSequence();
	world.state.documents.add(document);
}

/** Gives a draft its recipients, who can be found from now on. */
export function giveRecipients(
	world: World,
	document: SignDocument,
	recipients: readonly NewRecipient[],
): void {
	document.recipients = recipients.map((recipient) =>
		addRecipient(world.state, document.id, recipient),
	);
}

/** Takes back what `giveRecipients` made findable, when the document is refused after all. */
export function forgetRecipients(world: World, document: SignDocument): void {
	for (const { id, signingToken } of document.recipients) {
		world.state.recipients.delete(id);
		world.state.signingTokens.delete(signingToken);
	}
}
