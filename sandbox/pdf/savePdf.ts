import { deflateSync } from 'node:zlib';
import { PDFContentStream, PDFName, PDFRawStream, type PDFDocument } from 'pdf-lib';

/**
 * So many objects at most are also packed together, which costs more than it saves in a file of
 * tens of thousands.
 */
const MAX_PACKED = 5_000;

/**
 * Writes a document as a file. pdf-lib by itself compresses in JavaScript and pauses after every
 * fifty objects, so that a page stays responsive; in a thread both only take time.
 */
export function savePdf(document: PDFDocument): Promise<Uint8Array> {
	const { context } = document;
	const objects = context.enumerateIndirectObjects();
	for (const [ref, object] of objects) {
		if (!(object instanceof PDFContentStream)) continue;
		object.dict.set(PDFName.of('Filter'), PDFName.FlateDecode);
		context.assign(
			ref,
			PDFRawStream.of(object.dict, deflateSync(Buffer.from(object.getContentsString(), 'latin1'))),
		);
	}
	return document.save({
		addDefaultPage: false,
		updateFieldAppearances: false,
		objectsPerTick: Number.POSITIVE_INFINITY,
		useObjectStreams: objects.length <= MAX_PACKED,
	});
}
