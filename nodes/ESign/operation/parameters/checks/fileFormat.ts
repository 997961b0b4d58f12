import type { Refuse } from './problems';

/** Readers take a PDF for one if it begins here (ISO 32000-1, annex H, note 13). */
const HEADER_WITHIN = 1024;

/** A reader begins at a PDF's end; what software appends to a file is shorter than this. */
const END_WITHIN = 65_536;

const USE = 'Use a PDF, DOCX, DOC, PNG or JPEG file';
const CONVERT = 'Convert it to PDF, PNG or JPEG first';
const PDF_AS_COPY = 'Save it as PDF or DOCX first';
const FETCHED = 'Look at the output of the node that fetched it: a sign-in page or an error came';
const DECODE = 'Turn it into a file first, with Convert to File > Move Base64 String to File';

/**
 * How a file of another kind begins, what it is called, and what to do about it: what people send
 * by mistake. Anything else is refused without a name.
 */
const OTHERS: ReadonlyArray<[begins: RegExp, kind: string, remedy: string]> = [
	[/^\s*(?:<!--.*?-->\s*)*<(?:!doctype html|html|head|body|title)\b/is, 'a web page', FETCHED],
	[/^\s*(?:\{\s*["}]|\[\s*[[{"\]\d])/, 'JSON', FETCHED],
	[/^\s*(?:data:[^,\s]*,|JVBERi0|UEsDB|0M8R4KGx|iVBORw0KG|\/9j\/)/, 'text in Base64', DECODE],
	[/^\{\\rtf/, 'an RTF document', PDF_AS_COPY],
	[/^.{4}ftyp(?:hei|hev|mif1|msf1)/s, 'a HEIC picture', CONVERT],
	[/^RIFF.{4}WEBP/s, 'a WebP picture', CONVERT],
	[/^(?:II\*\0|MM\0\*)/, 'a TIFF picture', CONVERT],
];

/** What a ZIP file is, by the names of its entries. A Word file may hold a sheet. */
const ZIPPED: ReadonlyArray<[entry: string, kind: string | undefined]> = [
	['word/', undefined],
	['xl/', 'an Excel workbook'],
	['ppt/', 'a PowerPoint presentation'],
	['mimetypeapplication/vnd.oasis.opendocument', 'an OpenDocument file'],
	// Perhaps a Word file of unusual software: the service knows.
	['[Content_Types].xml', undefined],
	['', 'a ZIP archive'],
];

export type FileFormat = 'pdf' | 'word' | 'picture' | 'other';

/** By its first bytes alone: neither its name nor the type that software gave it counts. */
export function formatOf(bytes: Buffer): FileFormat {
	if (bytes.subarray(0, HEADER_WITHIN).includes('%PDF-')) return 'pdf';
	const begin = bytes.toString('latin1', 0, 8);
	if (begin.startsWith('PK\x03\x04') || begin.startsWith('\xd0\xcf\x11\xe0')) return 'word';
	const isPicture = begin.startsWith('\x89PNG\r\n\x1a\n') || begin.startsWith('\xff\xd8\xff');
	return isPicture ? 'picture' : 'other';
}

/**
 * Refuses a file that the service does not take, by what it seems to be (docs/service.md section 4,
 * Files). What is left to the service: a damaged file of the right kind, and one with a password.
 *
 * | file                                          | said                           |
 * | sign-in page that an HTTP Request got         | is a web page, not a PDF ...   |
 * | PDF as Base64 text, or as a data URL          | is text in Base64, ...         |
 * | picture of an iPhone                          | is a HEIC picture, ...         |
 * | first half of a PDF                           | is only the beginning of a PDF |
 * | workbook                                      | is an Excel workbook, ...      |
 */
export function refusedForFormat(bytes: Buffer, refuse: Refuse): void {
	const format = formatOf(bytes);
	if (format === 'picture') return;

	if (format === 'pdf') {
		const end = bytes.subarray(-END_WITHIN);
		if (['%%EOF', 'startxref', 'trailer'].some((mark) => end.includes(mark))) return;
		return refuse(
			'is only the beginning of a PDF',
			'Check the node that it comes from: the rest is lost',
		);
	}

	const [kind, remedy] =
		format === 'word' ? ([officeKind(bytes), PDF_AS_COPY] as const) : otherFile(bytes);
	if (kind !== undefined) refuse(`is ${kind}, not a PDF, Word, PNG or JPEG file`, remedy);
}

/** Undefined for a Word file. The parts of the old container have names in UTF-16. */
function officeKind(bytes: Buffer): string | undefined {
	if (bytes.toString('latin1', 0, 2) === 'PK')
		return ZIPPED.find(([part]) => bytes.includes(part))?.[1];
	const isWord = bytes.includes('WordDocument', 0, 'utf16le');
	return isWord ? undefined : 'an old or protected Office file';
}

function otherFile(bytes: Buffer): readonly [kind: string, remedy: string] {
	const begin = bytes.toString('latin1', 0, HEADER_WITHIN).replace(/^\xef\xbb\xbf/, '');
	const known = OTHERS.find(([begins]) => begins.test(begin));
	if (known) return [known[1], known[2]];
	const isText = !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(begin);
	return [isText ? 'text' : 'a file of another type', USE];
}
