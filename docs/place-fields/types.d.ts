/** What the scripts of this page pass to each other. They are classic scripts: what stands at their top is global. */

/** A place as the node takes it: fractions of the page as a reader shows it, from its top-left corner. */
interface Box {
	xNorm: number;
	yNorm: number;
	widthNorm: number;
	heightNorm: number;
}

interface Field extends Box {
	/** Tells fields apart on this page; never part of the JSON. */
	key: number;
	/** Key of a recipient; null while nobody is to fill it. */
	recipient: number | null;
	type: string;
	/** 1-based; 0 where a text of the document says where the field is. */
	pageNumber: number;
	/** That text. Such a field has no box of its own: the node finds the place, and so does this page. */
	anchor?: Anchor;
	/** Everything else that the node takes, by its names. */
	options: Record<string, FieldOption>;
}

/** Where a field is by a text, by the names of the node; what is not set is as the node has it. */
interface Anchor {
	text: string;
	side?: 'on' | 'right' | 'below' | 'above';
	occurrence?: 'only' | 'first' | 'last' | 'every';
	xOffsetNorm?: number;
	yOffsetNorm?: number;
	widthNorm?: number;
	heightNorm?: number;
}

type FieldOption = string | number | boolean | string[];

interface Recipient {
	key: number;
	name: string;
	email: string;
}

/** All that undo brings back. Never changed in place. */
interface Plan {
	recipients: readonly Recipient[];
	fields: readonly Field[];
}

type FieldRule = { label: string; required?: boolean } & (
	| { type: 'string'; max?: number; pattern?: RegExp; form?: string }
	| { type: 'integer' | 'number'; min: number; max?: number }
	| { type: 'boolean' }
	| { type: 'choice'; choices: readonly string[] }
	| { type: 'strings'; max: number; items: number }
);

/** One entry of the JSON, with its values in their types. */
interface FieldEntry extends Box {
	recipient?: string;
	type: string;
	pageNumber: number;
	[option: string]: FieldOption | undefined;
}

interface Size {
	width: number;
	height: number;
}

interface Point {
	x: number;
	y: number;
}

/** Which edges of a box follow the pointer. */
type Handle = 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';

/** A page of an open PDF; its size is that of the page as shown, in points. */
interface SourcePage extends Size {
	draw(canvas: HTMLCanvasElement, scale: number): { done: Promise<void>; cancel(): void };
	text(): Promise<TextPiece[]>;
}

/** Text on a page as it is seen, in points from its top-left corner: from `left` to `right` on the baseline. */
interface TextPiece {
	text: string;
	left: Point;
	right: Point;
	/** From the baseline to the top of a line of this text. */
	up: Point;
}

/** A sign of the text, and which part of its piece it takes. */
interface Sign {
	sign: string;
	piece: TextPiece;
	from: number;
	to: number;
}

/** A place in the document where a field will be. */
interface Landing {
	pageNumber: number;
	box: Box;
}

/** What stands in double brackets; without a type it is no tag. */
interface FoundTag {
	text: string;
	type?: string;
	/** A position or an email address. */
	recipient?: string;
	box: Box;
}

interface SourcePdf {
	pages: SourcePage[];
	close(): void;
}

/** What the page uses of pdf.js (vendor/pdf.js). */
declare const pdfjs: {
	PDFWorker: new (options: { port?: Worker }) => { destroy(): void };
	getDocument(options: Record<string, unknown>): {
		promise: Promise<PdfjsDocument>;
		destroy(): Promise<void>;
	};
};
interface PdfjsDocument {
	numPages: number;
	getPage(number: number): Promise<PdfjsPage>;
}
interface PdfjsText {
	/** Missing where a marked part of the page begins or ends. */
	str?: string;
	transform: [number, number, number, number, number, number];
	width: number;
	height: number;
}
interface PdfjsPage {
	getViewport(options: { scale: number }): Size & {
		convertToViewportPoint(x: number, y: number): [number, number];
	};
	getTextContent(): Promise<{ items: PdfjsText[] }>;
	render(options: object): { promise: Promise<void>; cancel(): void };
	cleanup(): void;
}

/** vendor/pdf.worker.js and vendor/openjpeg.js */
declare function startPdfWorker(): void;
declare const OPENJPEG: string;

interface Window {
	trustedTypes?: {
		createPolicy(
			name: string,
			rules: { createScriptURL(url: string): string },
		): { createScriptURL(url: string): string };
	};
}
