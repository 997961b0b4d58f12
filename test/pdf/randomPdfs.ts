import fc from 'fast-check';
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

const leaves = (of: Tree): number =>
	of === 'page' ? 1 : of.reduce((sum, kid) => sum + leaves(kid), 0);

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

/** A valid PDF, written in one of the many ways that the standard allows. */
export const madePdf: fc.Arbitrary<MadePdf> = fc
	.record({ style, revisions: fc.array(someTree, { minLength: 1, maxLength: 3 }) })
	.map(({ style: chosen, revisions }) => written(chosen, revisions));

const CATALOG = 1;
const ROOT = 2;

function written(chosen: Style, revisions: Tree[][]): MadePdf {
	const writer = new PdfWriter(chosen.eol);
	let next = 3;
	revisions.forEach((kids, revision) => {
		const objects: Array<[number, string]> = [];
		const plain: Array<[number, string]> = [];
		const write = (number: number, of: Tree, parent: number | undefined) => {
			if (of === 'page') {
				objects.push([
					number,
					`<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 595 842] /Resources << >> >>`,
				]);
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
		const dressed = objects.map(
			([number, source]) => [number, dress(source, chosen.dress)] as [number, string],
		);
		for (const [number, source] of plain) writer.object(number, source);
		if (chosen.crossReference === 'table')
			for (const [number, source] of dressed) writer.object(number, source);
		else {
			for (let from = 0; from < dressed.length; from += chosen.perStream) {
				const length = chosen.indirect.length ? { lengthIn: next++ } : {};
				writer.packed(next++, dressed.slice(from, from + chosen.perStream), {
					...chosen.pack,
					...length,
				});
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
	return {
		bytes,
		pages: leaves(revisions.at(-1) ?? []),
		how: JSON.stringify({ chosen, revisions }),
	};
}

function dress(source: string, how: Style['dress']): string {
	if (how === 'comments') return source.replace(/ \//g, ' % >> /Count 99 (\n/');
	if (how === 'escapes')
		return source
			.replace('/Type', '/T#79pe')
			.replace('/Kids', '/#4B#69ds')
			.replace('/Count', '/#43ount');
	if (how === 'tight') return source.replace(/ *([/<>[\]]) */g, '$1');
	if (how === 'strings') {
		return source.replace(
			'<< ',
			'<< /X (a \\( b (c) /Count 9 \\) >> ) /Y <3E3E> /Z << /Count 7 /Kids [ ] /Type /Page >> ',
		);
	}
	return source;
}

/** Something that happens to the bytes of a file. */
export type Damage = (file: Buffer) => Buffer;

const length = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 3_000 }));

/** A place in a file, whose length is known only then. */
const place = fc
	.nat(9_999)
	.map((share) => (file: Buffer) => Math.floor((share * file.length) / 10_000));

function spliced(file: Buffer, at: number, removed: number, text: string | Buffer): Buffer {
	const added = typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
	return Buffer.concat([file.subarray(0, at), added, file.subarray(at + removed)]);
}

/** The next digit after the place becomes another one: offsets, numbers and lengths. */
function withDigit(file: Buffer, at: number, digit: number): Buffer {
	const found = file.subarray(at).findIndex((byte) => byte >= 0x30 && byte <= 0x39);
	return found < 0 ? file : spliced(file, at + found, 1, String(digit));
}

const LIKELY = [
	...['%', '\n', '(', '<<', '>>', 'endobj\n', 'stream\n', 'endstream\n', 'startxref\n9\n'],
	'2 0 obj << /Type /Pages /Kids [] /Count 0 >> endobj\n',
	'\n1 0 obj\n<< /Type /Catalog /Pages 4 0 R >>\nendobj\n',
	'\nx % 3 0 obj << >> endobj\n',
	'trailer << /Root 4 0 R >>\n',
];
const BYTES = [...'%()<>[]/ \n\r0R9\\'];

/** Each thing that may happen at a place, to some bytes there. */
const HAPPENINGS: ReadonlyArray<fc.Arbitrary<(file: Buffer, at: number) => Buffer>> = [
	fc
		.nat(7)
		.map((bit) => (file, at) => spliced(file, at, 1, Buffer.of((file[at] ?? 0) ^ (1 << bit)))),
	fc.constantFrom(...BYTES).map((byte) => (file, at) => spliced(file, at, 1, byte)),
	fc.nat(9).map((digit) => (file, at) => withDigit(file, at, digit)),
	fc.constant((file, at) => file.subarray(0, at)),
	length.map((size) => (file, at) => spliced(file, at, size, '')),
	length.map((size) => (file, at) => spliced(file, at, 0, file.subarray(at, at + size))),
	length.map(
		(size) => (file, at) => spliced(file, file.length, 0, file.subarray(at, at + size * 3)),
	),
	fc.constantFrom(...LIKELY).map((text) => (file, at) => spliced(file, at, 0, text)),
];

/** One to three things that happen to a file, one after the other. */
export const damages: fc.Arbitrary<Damage> = fc
	.array(fc.tuple(place, fc.oneof(...HAPPENINGS)), { minLength: 1, maxLength: 3 })
	.map((all) => (bytes) => all.reduce((file, [at, happen]) => happen(file, at(file)), bytes));
