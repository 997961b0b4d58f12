import { createHash } from 'node:crypto';
import { buildCertificate } from './buildCertificate';
import { sealDocument } from './sealDocument';
import type { SignedDocument } from './signedDocument';

/** Seals a document, and writes the certificate that names the fingerprint of the sealed file. */
export async function finishDocument(
	document: SignedDocument,
): Promise<{ sealed: Uint8Array; certificate: Uint8Array }> {
	const sealed = await sealDocument(document);
	const sha256 = createHash('sha256').update(sealed).digest('hex');
	return { sealed, certificate: buildCertificate(document, sha256) };
}
