import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError, type ErrorCode } from '../../http/errors';
import type { SignDocument } from '../../state/entities';
import { FILE_VARIANTS, type FileVariant } from '../../state/vocabulary';
import type { World } from '../../state/world';

/** docs/service.md section 8. */
export const DOWNLOAD_SECONDS = 600;

const NOT_AVAILABLE: Record<FileVariant, ErrorCode> = {
	signed: 'signed_not_available',
	certificate: 'certificate_not_available',
	original: 'original_not_available',
};

/** The bytes of a variant, or its 404 (docs/service.md section 4, rule 6). */
function requireVariant(document: SignDocument, variant: FileVariant): Buffer {
	const bytes = {
		signed: document.sealed,
		certificate: document.certificate,
		original: document.source,
	}[variant];
	if (!bytes) throw new ApiError(NOT_AVAILABLE[variant]);
	return bytes;
}

export interface DownloadFile {
	bytes: Buffer;
	fileName: string;
}

/** Addresses that need no key, say what they are for in themselves, and work for 600 seconds. */
export class DownloadUrls {
	private readonly secret = randomBytes(32);

	constructor(private readonly world: World) {}

	create(document: SignDocument, variant: FileVariant): string {
		requireVariant(document, variant);
		const expires = this.world.timeline.now() + DOWNLOAD_SECONDS * 1_000;
		const claim = `${document.id}.${variant}.${expires.toString(36)}`;
		return `${this.world.origin}/files/download/${claim}.${this.sign(claim)}`;
	}

	/** @throws not_found for an address that was never given out; link_expired after 600 seconds. */
	open(token: string): DownloadFile {
		const claim = token.slice(0, Math.max(0, token.lastIndexOf('.')));
		const right = Buffer.from(this.sign(claim));
		const given = Buffer.from(token.slice(claim.length + 1));
		if (given.length !== right.length || !timingSafeEqual(given, right))
			throw new ApiError('not_found');
		const [documentId = '', name = '', expires = ''] = claim.split('.');
		if (parseInt(expires, 36) <= this.world.timeline.now()) throw new ApiError('link_expired');
		const document = this.world.state.documents.find(documentId);
		const variant = FILE_VARIANTS.find((one) => one === name);
		if (!document || !variant) throw new ApiError('not_found');
		return {
			bytes: requireVariant(document, variant),
			fileName: `${document.title} (${variant}).pdf`,
		};
	}

	private sign(claim: string): string {
		return createHmac('sha256', this.secret).update(claim).digest('base64url');
	}
}
