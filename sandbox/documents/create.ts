import { ApiError } from '../http/errors';
import { buildSource } from '../pdf';
import type { CreateDocumentBody } from '../schemas/documentRequests';
import type { SignDocument, StoredFile } from '../state/entities';
import type { State } from '../state/state';
import type { Mode } from '../state/vocabulary';
import type { World } from '../state/world';
import { draftDocument, forgetRecipients, giveRecipients, storeDocument } from './draft';
import { makeFields, requireSignatureFields, requireSource } from './fields/placing';
import { startDocument } from './transitions';
import { checkRecipientList, requireSigner } from './recipients';

function requireFiles(state: State, mode: Mode, ids: readonly string[]): StoredFile[] {
	const files = ids.map((id) => state.files.get(id));
	const unknown = ids.filter((_id, index) => files[index]?.mode !== mode);
	if (unknown.length > 0) throw new ApiError('unknown_file', { extra: { file_ids: unknown } });
	return files.filter((file) => file !== undefined);
}

/** POST /documents (docs/service.md section 4). A refused request leaves nothing behind. */
export async function createDocument(
	world: World,
	mode: Mode,
	body: CreateDocumentBody,
): Promise<SignDocument> {
	checkRecipientList(body.recipients);
	const source = await buildSource(requireFiles(world.state, mode, body.files));
	const document = draftDocument(world, {
		mode,
		title: body.title ?? 'Untitled document',
		routing: body.routing ?? 'parallel',
		source,
	});
	giveRecipients(world, document, body.recipients);
	try {
		document.fields = makeFields(body.fields ?? [], document.recipients, document.pageCount);
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
	requireSigner(document.recipients);
	requireSignatureFields(document);
	requireSource(document);
}

/** POST /documents/{id}/send: draft to in_progress. */
export function sendDraft(world: World, document: SignDocument): void {
	if (document.status !== 'draft') throw new ApiError('document_not_draft');
	requireSendable(document);
	startDocument(world, document, true);
}
