import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';

export const PAGE = join(__dirname, '../../docs/place-fields');

export type Box = Record<'xNorm' | 'yNorm' | 'widthNorm' | 'heightNorm', number>;

export interface Field extends Box {
	key: number;
	recipient: number | null;
	type: string;
	pageNumber: number;
	anchor?: Record<string, unknown>;
	options: Record<string, unknown>;
}

export type Recipient = { key: number; name: string; email: string };

export type Plan = { recipients: Recipient[]; fields: Field[] };

type Size = Record<'width' | 'height', number>;
type Point = Record<'x' | 'y', number>;

/** A piece of text in points of the page: where its baseline is, and which way is up. */
export type TextPiece = Record<'left' | 'right' | 'up', Point> & { text: string };

export interface Store {
	readonly plan: Plan;
	readonly selected: Field | undefined;
	readonly dragging: boolean;
	readonly canUndo: boolean;
	select(key: number | null): void;
	preview(plan: Plan): void;
	revert(): void;
	change(plan: Plan, step?: string): void;
	undo(): void;
	redo(): void;
}

/** What stands at the top of the scripts that need no browser, as far as the tests use it. */
interface Scripts {
	drawnBox(from: Point, to: Point): Box;
	fittedBox(box: Box): Box;
	movedBox(box: Box, dx: number, dy: number): Box;
	resizedBox(box: Box, handle: string, dx: number, dy: number): Box;
	overlaps(fields: Field[]): Map<number, number[]>;
	freeBox(size: Size, centre: Point, taken: Box[]): Box;
	shownSize(page: Size, column: number, zoom: number): Size;
	drawingScale(page: Size, shown: Size, pixelRatio: number): number;
	FIELD_TYPES: Map<string, string>;
	FIELD_RULES: Record<string, object>;
	ANCHOR_RULES: Record<string, object>;
	EMAIL: RegExp;
	readEntries(text: string): { entries: Array<Record<string, unknown>>; problems: string[] };
	readPlan(text: string, known: Recipient[]): { plan: Plan; problems: string[] };
	writePlan(plan: Plan, by: 'email' | 'position'): string;
	createStore(plan: Plan): Store;
	withField(plan: Plan, key: number, changes: Partial<Field>): Plan;
	withoutRecipient(plan: Plan, key: number): Plan;
	adviceOn(plan: Plan, pageCount: number): string[];
	readTag(inside: string): { type?: string; recipient?: string; size?: Size } | undefined;
	boxesAt(pieces: TextPiece[], page: Size, field: Field): Box[];
}

/** The scripts of the page, in the order of index.html. */
export function scriptPaths(): string[] {
	const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
	return [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => path ?? '');
}

/** Runs the scripts as a browser does, one after the other in one global scope. */
export function loadScripts(): Scripts {
	const context = vm.createContext({});
	const paths = scriptPaths().filter((path) => path.startsWith('scripts/fields/'));
	for (const path of paths)
		vm.runInContext(readFileSync(join(PAGE, path), 'utf8'), context, { filename: path });
	return new Proxy({} as Scripts, {
		get: (_target, name) => vm.runInContext(String(name), context) as unknown,
	});
}

/** A field as a test states it. */
export function field(key: number, changes: Partial<Field> = {}): Field {
	const place = { pageNumber: 1, xNorm: 0.1, yNorm: 0.8, widthNorm: 0.3, heightNorm: 0.06 };
	return { key, recipient: null, type: 'SIGNATURE', ...place, options: {}, ...changes };
}
