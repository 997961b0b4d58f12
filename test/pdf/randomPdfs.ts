import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { PdfWriter, type PackOptions } from './pdfWriter';

/** A PDF, and how many pages it was made to have. */
export interface MadePdf {
	bytes: Buffer;
	pages: number;
	/** How it was made, for the message of a test that fails. */
	how: string;
}

/** A page tree: a page, or a node with kids. */
type Tree = 'page' | Tree[];

const { tree } = fc.letrec<{ tree: Tree; node: Tree[] }>((tie) => ({
	tree: fc.oneof({ maxDepth: 4, withCrossShrink: true }, fc.constant('page' as const), tie('node')),
	node: fc.array(tie('tree'), { minLength: 1, maxLength: 5 }),
}));

const someTree = fc.array(tree, { minLength: 1, maxLength: 6 });

const leaves = (of: Tree): number => (of === 'page' ? 1 : of.reduce((sum, kid) => sum + leaves(kid), 0));

interface Style {
	eol: string;
	crossReference: 'table' | 'stream' | 'hybrid';
	pack: PackOptions;
	perStream: number;
	indirect: { count: boolean; kids: boolean; length: boolean };
	/** How the text of an object is written. */
	dress: 'plain' | 'comments' | 'escapes' | 'tight' | 'strings';
	before: string;
	behind: string;
}

const style: fc.Arbitrary<Style> = fc.record({
	eol: fc.constantFrom('\n', '\r', '\r\n'),
	crossReference: fc.constantFrom('table', 'stream', 'hybrid'),
	pack: fc.record({ filter: fc.constantFrom('flate', 'none', 'list') }),
	perStream: fc.integer({ min: 1, max: 7 }),
	indirect: fc.record({ count: fc.boolean(), kids: fc.boolean(), length: fc.boolean() }),
	dress: fc.constantFrom('plain', 'comments', 'escapes', 'tight', 'strings'),
	before: fc.constantFrom('', '', '', '\r\n', 'X-Junk: 1\n\n'),
	behind: fc.constantFrom('', '', '\0\0\0\0', '\n\n', '<!-- 12 bytes -->', ' '.repeat(2_000)),
});

/** Written by hand, in the many ways that the standard allows. */
const byHand: fc.Arbitrary<MadePdf> = fc
	.record({ style, revisions: fc.array(someTree, { minLength: 1, maxLength: 3 }) })
	.map(({ style: chosen, revisions }) => writtenByHand(chosen, revisions));

const CATALOG = 1;
const ROOT = 2;

function writtenByHand(chosen: Style, revisions: Tree[][]): MadePdf {
	const writer = new PdfWriter(chosen.eol);
	let next = 3;
	revisions.forEach((kids, revision) => {
		const objects: Array<[number, string]> = [];
		const plain: Array<[number, string]> = [];
		const write = (number: number, of: Tree, parent: number | undefined) => {
			if (of === 'page') {
				objects.push([number, `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] /Resources << >> >>`]);
				return;
			}
			const numbers = of.map(() => next++);
			const own = (value: string) => {
				plain.push([next, value]);
				return `${next++} 0 R`;
			};
			const list = `[${numbers.map((kid) => `${kid} 0 R`).join(' ')}]`;
			const count = String(leaves(of));
			const up = parent === undefined ? '' : `/Parent ${parent} 0 R`;
			const kidsEntry = chosen.indirect.kids ? own(list) : list;
			const countEntry = chosen.indirect.count ? own(count) : count;
			objects.push([number, `<< /Type /Pages /Kids ${kidsEntry} /Count ${countEntry} ${up} >>`]);
			of.forEach((kid, index) => write(numbers[index] ?? 0, kid, number));
		};
		if (revision === 0) objects.push([CATALOG, `<< /Type /Catalog /Pages ${ROOT} 0 R >>`]);
		write(ROOT, kids, undefined);
		const dressed = objects.map(([number, source]) => [number, dress(source, chosen.dress)] as [number, string]);
		for (const [number, source] of plain) writer.object(number, source);
		if (chosen.crossReference === 'table') for (const [number, source] of dressed) writer.object(number, source);
		else {
			for (let from = 0; from < dressed.length; from += chosen.perStream) {
				const length = chosen.indirect.length ? { lengthIn: next++ } : {};
				writer.packed(next++, dressed.slice(from, from + chosen.perStream), { ...chosen.pack, ...length });
			}
		}
		const trailer = `/Root ${CATALOG} 0 R`;
		if (chosen.crossReference === 'stream') writer.xrefStream(next++, trailer, chosen.pack);
		else if (chosen.crossReference === 'table') writer.table(trailer);
		else writer.table(trailer, { stream: next++, numbers: dressed.map(([number]) => number) });
	});
	const bytes = Buffer.concat([
		Buffer.from(chosen.before, 'latin1'),
		writer.bytes(),
		Buffer.from(chosen.behind, 'latin1'),
	]);
	return { bytes, pages: leaves(revisions.at(-1) ?? []), how: JSON.stringify({ chosen, revisions }) };
}

function dress(source: string, how: Style['dress']): string {
	if (how === 'comments') return source.replace(/ \//g, ' % >> /Count 99 (\n/');
	if (how === 'escapes')
		return source.replace('/Type', '/T#79pe').replace('/Kids', '/#4B#69ds').replace('/Count', '/#43ount');
	if (how === 'tight') return source.replace(/ *([/<>[\]]) */g, '$1');
	if (how === 'strings') {
		return source.replace(
			'<< ',
			'<< /X (a \\( b (c) /Count 9 \\) >> ) /Y <3E3E> /Z << /Count 7 /Kids [ ] /Type /Page >> ',
		);
	}
	return source;
}

interface PdfLibStyle {
	pages: number;
	copied: number;
	useObjectStreams: boolean;
}

const pdfLibStyle: fc.Arbitrary<PdfLibStyle> = fc.record({
	pages: fc.integer({ min: 1, max: 40 }),
	copied: fc.integer({ min: 0, max: 5 }),
	useObjectStreams: fc.boolean(),
});

/** Written by pdf-lib: new pages and pages copied from another document, with and without object streams. */
async function writtenByPdfLib({ pages, copied, useObjectStreams }: PdfLibStyle): Promise<MadePdf> {
	const document = await PDFDocument.create();
	for (let page = 0; page < pages; page++) document.addPage([595, 842]).drawText(`(Page ${page} endobj`);
	document.setTitle('(nested) /Pages 99 0 R /Count 99 \\)');
	if (copied > 0) {
		const other = await PDFDocument.create();
		for (let page = 0; page < copied; page++) other.addPage([200, 200]);
		const copies = await document.copyPages(other, other.getPageIndices());
		for (const copy of copies) document.insertPage(0, copy);
	}
	const bytes = Buffer.from(await document.save({ useObjectStreams, addDefaultPage: false }));
	return { bytes, pages: pages + copied, how: JSON.stringify({ pages, copied, useObjectStreams }) };
}

/** A valid PDF, one way or another. */
export const madePdf: fc.Arbitrary<() => Promise<MadePdf>> = fc.oneof(
	byHand.map((made) => async () => made),
	pdfLibStyle.map((chosen) => async () => await writtenByPdfLib(chosen)),
);

/** One thing that happens to the bytes of a file. Places are shares of its length. */
export type Damage =
	| { kind: 'flip'; place: number; bit: number }
	| { kind: 'set'; place: number; byte: number }
	| { kind: 'digit'; place: number; digit: number }
	| { kind: 'cut'; place: number }
	| { kind: 'remove' | 'repeat'; place: number; length: number }
	| { kind: 'append' | 'move'; place: number; length: number; to: number }
	| { kind: 'insert'; place: number; text: string };

const place = fc.nat(9_999).map((share) => share / 10_000);
const length = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3_000 }));

export const damages: fc.Arbitrary<Damage[]> = fc.array(
	fc.oneof(
		fc.record({ kind: fc.constant('flip' as const), place, bit: fc.integer({ min: 0, max: 7 }) }),
		fc.record({
			kind: fc.constant('set' as const),
			place,
			byte: fc.constantFrom(...Buffer.from('%()<>[]/ \n\r0R9\\', 'latin1')),
		}),
		fc.record({ kind: fc.constant('digit' as const), place, digit: fc.integer({ min: 0, max: 9 }) }),
		fc.record({ kind: fc.constant('cut' as const), place }),
		fc.record({ kind: fc.constantFrom('remove' as const, 'repeat' as const), place, length }),
		fc.record({ kind: fc.constantFrom('append' as const, 'move' as const), place, length, to: place }),
		fc.record({
			kind: fc.constant('insert' as const),
			place,
			text: fc.constantFrom(
				'%',
				'\n',
				'(',
				'<<',
				'>>',
				'endobj\n',
				'stream\n',
				'endstream\n',
				'2 0 obj << /Type /Pages /Kids [] /Count 0 >> endobj\n',
				'\n1 0 obj\n<< /Type /Catalog /Pages 4 0 R >>\nendobj\n',
				'\nx % 3 0 obj << >> endobj\n',
				'trailer << /Root 4 0 R >>\n',
				'startxref\n9\n',
			),
		}),
	),
	{ minLength: 1, maxLength: 3 },
);

export function damaged(bytes: Buffer, all: readonly Damage[]): Buffer {
	return all.reduce<Buffer>((file, damage) => damagedOnce(Buffer.from(file), damage), bytes);
}

function damagedOnce(file: Buffer, damage: Damage): Buffer {
	const at = Math.floor(damage.place * file.length);
	if (file.length === 0) return file;
	switch (damage.kind) {
		case 'flip':
			file.writeUInt8(file.readUInt8(at) ^ (1 << damage.bit), at);
			return file;
		case 'set':
			file.writeUInt8(damage.byte, at);
			return file;
		case 'digit': {
			// The next digit after the place becomes another one: offsets, numbers and lengths.
			const found = file.subarray(at).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
			if (found >= 0) file.writeUInt8(0x30 + damage.digit, at + found);
			return file;
		}
		case 'cut':
			return file.subarray(0, at);
		case 'remove':
			return Buffer.concat([file.subarray(0, at), file.subarray(at + damage.length)]);
		case 'repeat':
			return Buffer.concat([file.subarray(0, at + damage.length), file.subarray(at)]);
		case 'append':
			return Buffer.concat([file, file.subarray(at, at + damage.length * 3)]);
		case 'move': {
			const piece = file.subarray(at, at + damage.length);
			const rest = Buffer.concat([file.subarray(0, at), file.subarray(at + damage.length)]);
			const to = Math.floor(damage.to * rest.length);
			return Buffer.concat([rest.subarray(0, to), piece, rest.subarray(to)]);
		}
		case 'insert':
			return Buffer.concat([file.subarray(0, at), Buffer.from(damage.text, 'latin1'), file.subarray(at)]);
	}
}
