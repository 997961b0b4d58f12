import { hasEnded } from '../../../service/ending';
import { forgetOldest, keyIdOf, type ApiContext, type Document } from '../../../transport';

/** Documents of all keys that are kept in the process; the one that was read first goes first. */
const MOST = 2_000;

const read = new Map<string, Document>();

/**
 * Documents that the service has said to have ended: they do not change any more, and need not be read again by another
 * execution that waits for them, or by the same one whose call had no time for all. One process keeps them; another asks.
 * Copies go in and out: a workflow may change what an item holds.
 */
export class EndedDocuments {
	private constructor(private readonly keyId: string) {}

	/** Those that the API key of the context may see. */
	static async of(context: ApiContext): Promise<EndedDocuments> {
		return new EndedDocuments(await keyIdOf(context));
	}

	among(ids: Iterable<string>): Map<string, Document> {
		const found = new Map<string, Document>();
		for (const id of ids) {
			const document = read.get(this.nameOf(id));
			if (document) found.set(id, structuredClone(document));
		}
		return found;
	}

	add(documents: Iterable<Document>): void {
		for (const document of documents) {
			if (hasEnded(document)) read.set(this.nameOf(document.id), structuredClone(document));
		}
		forgetOldest(read, MOST);
	}

	private nameOf(id: string): string {
		return `${this.keyId}/${id}`;
	}
}
