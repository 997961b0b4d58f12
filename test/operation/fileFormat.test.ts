import { readdirSync } from 'node:fs';
import { refusedForFormat } from '../../nodes/ESign/operation/parameters/checks/fileFormat';
import { fixture } from '../fixtures/fixture';

function said(bytes: Buffer | string): string {
	const refuse = jest.fn();
	refusedForFormat(Buffer.from(bytes as Buffer), refuse);
	return ((refuse.mock.calls as string[][])[0] ?? []).join('. ');
}

const of = (...parts: Array<string | number[]>) =>
	Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const old = (part: string) =>
	Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.from(part, 'utf16le')]);

describe('A file that the service does not take is refused by what it is:', () => {
	it.each<[string, Buffer | string]>([
		['a web page', '\ufeff\r\n<!-- sign in --><!DOCTYPE html><html>'],
		['a web page', '<html><head><title>Sign in</title>'],
		['JSON', ' {"error": {"code": 401}}'],
		['JSON', '[{"id": 1}]'],
		['JSON', '{}'],
		['text in Base64', Buffer.from('%PDF-1.7 and so on').toString('base64')],
		['text in Base64', 'data:application/pdf;base64,AAAA'],
		['text', '<?xml version="1.0"?>\n<svg xmlns="x">'],
		['text', 'Dear Ada,\nplease find the contract attached'],
		['an RTF document', '{\\rtf1\\ansi'],
		['a HEIC picture', of([0, 0, 0, 24], 'ftypheic')],
		['a WebP picture', of('RIFF', [1, 2, 3, 4], 'WEBPVP8 ')],
		['a TIFF picture', of('II*', [0])],
		['an Excel workbook', of('PK', [3, 4], '[Content_Types].xml xl/workbook.xml')],
		['a PowerPoint presentation', of('PK', [3, 4], '[Content_Types].xml ppt/a.xml')],
		['an OpenDocument file', of('PK', [3, 4], 'mimetypeapplication/vnd.oasis.opendocument.text')],
		['a ZIP archive', of('PK', [3, 4], 'contracts/nda.pdf')],
		['an old or protected Office file', old('EncryptedPackage')],
		['a file of another type', of([0x1f, 0x8b, 8])],
	])('%s', (kind, bytes) => {
		expect(said(bytes)).toContain(`is ${kind}, not a PDF, Word, PNG or JPEG file. `);
	});

	it('the first half of a PDF', () => {
		expect(said(fixture('truncated.pdf'))).toMatch(/^is only the beginning of a PDF/);
	});
});

describe('What the service may take is left to it:', () => {
	const NOT = /\.(heic|webp|svg|html|xlsx?|odt|ts|md|json|txt)$|truncated/;

	const isFile = (name: string) => name.includes('.') && !NOT.test(name);

	it.each(readdirSync(`${__dirname}/../fixtures`).filter(isFile))('%s', (name) =>
		expect(said(fixture(name))).toBe(''),
	);

	it.each<[string, Buffer | string]>([
		['a line end before a PDF', '\r\n%PDF-1.4 %%EOF'],
		['a mark of an encoding before a PDF', '\ufeff%PDF-1.4 %%EOF'],
		['junk behind its end', `%PDF-1.4 %%EOF${'\0'.repeat(4000)}`],
		['no end mark', '%PDF-1.4 trailer << >>'],
		['a Word file with a sheet in it', of('PK', [3, 4], 'word/embeddings/a.xlsx xl/')],
		['a Word file of unusual software', of('PK', [3, 4], '[Content_Types].xml document.xml')],
		['an old Word file', old('WordDocument')],
	])('%s', (_, bytes) => expect(said(bytes)).toBe(''));

	it('and what is refused here is refused there', () => {
		for (const name of readdirSync(`${__dirname}/../fixtures`)) {
			if (/\.(heic|webp|svg|html|xlsx?|odt)$/.test(name)) expect(said(fixture(name))).not.toBe('');
		}
	});
});
