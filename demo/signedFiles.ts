import assert from 'node:assert/strict';
import { PDFDocument } from 'pdf-lib';
import { readPdf, textOf } from '../test/sandbox/pdf/readPdf';

/** The signed PDF opens and has every page of its source. Returns the number of pages. */
export async function checkSignedPdf(signed: Buffer, source: Buffer): Promise<number> {
	const pages = (await PDFDocument.load(signed)).getPageCount();
	const expected = (await PDFDocument.load(source)).getPageCount();
	assert.equal(pages, expected, `The signed PDF has ${pages} pages, its source ${expected}`);
	assert.ok(expected > 1, 'The source should have more than one page');
	return pages;
}

/** The certificate opens and names everybody who signed. */
export function checkCertificate(certificate: Buffer, signers: string[]): void {
	const text = readPdf(certificate).pages.map(textOf).join(' ');
	for (const signer of signers)
		assert.ok(text.includes(signer), `The certificate does not name ${signer}`);
}
