import type { PlacedField } from './fields/placedField';

/** A document that everybody has signed, with all that its signed file and its certificate show. */
export interface SignedDocument {
	id: string;
	title: string;
	mode: 'LIVE' | 'TEST';
	/** The PDF that was sent. */
	source: Uint8Array;
	fields: PlacedField[];
	/** Whose key or public link sent it. */
	sender: { id: string; name: string };
	createdAt: Date;
	completedAt: Date;
	recipients: Array<{
		name: string;
		email: string;
		type: string;
		status: string;
		signedAt: Date | null;
	}>;
	trail: Array<{ at: Date; what: string; who: string | null; ip?: string | null }>;
}
