import { PDFDocument } from 'pdf-lib';

/** What pdf-lib finds; it does not go by the table, and mends what it can. */
export async function pagesByPdfLib(bytes: Buffer): Promise<number | 'none'> {
	try {
		return (
			await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false })
		).getPageCount();
	} catch {
		return 'none';
	}
}
