import { ApiError } from '../http/errors';
import { buildSource, SourceBuildError } from '../pdf';
import type { CreateDocumentBody } from '../schemas/requests';
import type { Field, SignDocument, StoredFile } from '../state/entities';
import { newId } from '../state/ids';
import type { State } from '../state/state';
import type { Mode, Routing } from '../state/vocabulary';
import type { World } from '../world';
import { makeFields, requireSignatureFields, requireSource } from './fields';
import { note, startDocument } from './lifecycle';
import { addRecipient, checkRecipientList, requireSigner, type NewRecipient } from './recipients';

function requireFiles(state: State, mode: Mode, ids: readonly string[]): StoredFile[] {
	const files = ids.map((id) => state.files.get(id));
	const unknown = ids.filter((_id, index) => files[index]?.mode !== mode);
	if (unknown.length > 0) throw new ApiError('unknown_file', { extra: { file_ids: unknown } });
	return files.filter((file) => file !== undefined);
}

/** The merged source of files in their order; null when it cannot be built, for which `original` has a 404 code. */
async function mergeFiles(files: StoredFile[]): Promise<{ bytes: Buffer | null; pageCount: number }> {
	try {
		return await buildSource(files.map(({ bytes, mimeType }) => ({ bytes, mimeType })));
	} catch (error) {
		if (error instanceof SourceBuildError) return { bytes: null, pageCount: 0 };
		throw error;
	}
}

/** A draft that nothing can find yet. Its recipients are findable only once `store` is called. */
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

export function giveRecipients(world: World, document: SignDocument, recipients: readonly NewRecipient[]): void {
	document.recipients = recipients.map((recipient) => addRecipient(world.state, document.id, recipient));
}

/** Takes back what `giveRecipients` made findable, when the document is refused after all. */
export function forgetRecipients(world: World, document: SignDocument): void {
	for (const { id, signingToken } of document.recipients) {
		world.state.recipients.delete(id);
		world.state.signingTokens.delete(signingToken);
	}
}

export function giveFields(document: SignDocument, fields: Field[]): void {
	document.fields = fields;
}

/** POST /documents (api.md section 4). A refused request leaves nothing behind. */
export async function createDocument(world: World, mode: Mode, body: CreateDocumentBody): Promise<SignDocument> {
	checkRecipientList(body.recipients);
	const source = await mergeFiles(requireFiles(world.state, mode, body.files));
	const document = draftDocument(world, {
		mode,
		title: body.title ?? 'Untitled document',
		routing: body.routing ?? 'parallel',
		source,
	});
	giveRecipients(world, document, body.recipients);
	try {
		giveFields(document, makeFields(body.fields ?? [], document.recipients, document.pageCount));
		if (body.send) requireSendable(document);
	} catch (error) {
		forgetRecipients(world, document);
		throw error;
	}
	storeDocument(world, document);
	if (body.send) startDocument(world, document, true);
	return document;
}

function requireSendable(document: SignDocument): void {
	requireSigner(document);
	requireSignatureFields(document);
	requireSource(document);
}

/** POST /documents/{id}/send: draft to in_progress. */
export function sendDraft(world: World, document: SignDocument): void {
	if (document.status !== 'draft') throw new ApiError('document_not_draft');
	requireSendable(document);
	startDocument(world, document, true);
}
