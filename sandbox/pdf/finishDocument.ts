import { buildCertificate, type CertificateInput } from './certificate/buildCertificate';
import { sealDocument, type SealInput } from './sealDocument';

export interface FinishInput {
	seal: SealInput;
	certificate: Omit<CertificateInput, 'sealedSha256' | 'shortfalls'>;
}

/**
 * Seals a document and writes its certificate. It is one piece of work: of ten documents that are
 * signed at once, no one would be finished before the last is sealed if each certificate waited for
 * a turn of its own.
 */
export async function finishDocument({
	seal,
	certificate,
}: FinishInput): Promise<{ sealed: Uint8Array; certificate: Uint8Array }> {
	const { bytes, sha256, shortfalls } = await sealDocument(seal);
	return {
		sealed: bytes,
		certificate: await buildCertificate({ ...certificate, sealedSha256: sha256, shortfalls }),
	};
}
