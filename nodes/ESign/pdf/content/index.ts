import { isText, readFont, type Font } from '../fonts';
import { scan } from '../objects/scanner';
import {
	Dictionary,
	ensure,
	ifReadable,
	numeric,
	PdfString,
	Reference,
	Stream,
	type Source,
	type Value,
} from '../objects/values';
import { Content, State, type Page } from './content';
import { geometryOf, IDENTITY, multiply, type Matrix } from './geometry';
import { Runs } from './runs';

export type { TextRun } from './runs';

/** What callers get of a page. */
export type PageText = Pick<Runs, 'width' | 'height' | 'runs' | 'isIncomplete'>;

/** For a page. */
const MOST_FORMS = 2_000;

/** At a time. A contract has some ten of them. */
const MOST_FONTS = 200;

/** Reads the text of pages, one after the other: what has been read of fonts is kept. */
export function pageReader(source: Source): (dictionary: Dictionary) => Promise<PageText> {
	const fonts = new Map<unknown, Font | undefined>();

	async function fontOf(value: Value | undefined): Promise<Font | undefined> {
		const key = value instanceof Reference ? value.number : value;
		if (!fonts.has(key)) {
			const font = await ifReadable(async () => await readFont(source, value));
			if (fonts.size >= MOST_FONTS) fonts.clear();
			fonts.set(key, font);
		}
		return fonts.get(key);
	}

	// A page comes with what it has from the nodes above it.
	return async (dictionary) => {
		const { width, height, matrix } = await geometryOf(dictionary);
		const runs = new Runs(width, height);
		const page: Page = { source, fontOf, runs, formsLeft: MOST_FORMS };
		const outside = new Content(page, new Dictionary(source), new State(matrix), 0);
		await readContent(outside, dictionary, dictionary.get('/Contents'));
		return runs;
	};
}

/** Does what an operator says. */
type Operator = (content: Content, operands: Value[]) => Promise<void> | undefined | void;

const DEEPEST_FORM = 12;

const numberAt = (operands: readonly Value[], at: number): number => numeric(operands[at]) ?? 0;

function matrixOf(operands: readonly Value[]): Matrix {
	const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = operands.map(numeric);
	return [a, b, c, d, e, f];
}

function moveBy(content: Content, operands: readonly Value[]): void {
	content.nextLine(numberAt(operands, 0), numberAt(operands, 1));
}

const beginNextLine = (content: Content) => content.nextLine(0, -content.state.leading);

function sets(key: keyof Omit<State, 'ctm' | 'font'>): Operator {
	return ({ state }, operands) => {
		state[key] = numberAt(operands, 0);
	};
}

/** Those that text depends on (ISO 32000-1, annex A). */
const OPERATORS = new Map(
	Object.entries<Operator>({
		q: (content) => content.save(),
		Q: (content) => content.restore(),
		cm: ({ state }, operands) => {
			state.ctm = multiply(matrixOf(operands), state.ctm);
		},
		Tc: sets('charSpace'),
		Tw: sets('wordSpace'),
		Tz: sets('scale'),
		TL: sets('leading'),
		Ts: sets('rise'),
		Tf: async (content, operands) => {
			const { page, state } = content;
			state.size = numberAt(operands, 1);
			state.font = await page.fontOf(await content.resource('/Font', operands[0]));
		},
		// A font that graphics settings name is not read: what it shows is unknown, and never guessed.
		gs: async (content, [name]) => {
			const settings = await content.page.source.resolve(
				await content.resource('/ExtGState', name),
			);
			if (settings instanceof Dictionary && settings.has('/Font')) content.state.font = undefined;
		},
		BT: (content) => content.place(IDENTITY),
		Tm: (content, operands) => content.place(matrixOf(operands)),
		Td: moveBy,
		TD: (content, operands) => {
			content.state.leading = -numberAt(operands, 1);
			moveBy(content, operands);
		},
		'T*': beginNextLine,
		Tj: (content, operands) => content.show(operands),
		TJ: (content, [parts]) => content.show(Array.isArray(parts) ? parts : []),
		"'": (content, operands) => {
			beginNextLine(content);
			return content.show(operands);
		},
		'"': (content, operands) => {
			content.state.wordSpace = numberAt(operands, 0);
			content.state.charSpace = numberAt(operands, 1);
			beginNextLine(content);
			return content.show(operands.slice(2));
		},
		BMC: (content) => content.beginMark(),
		BDC: async (content, [, properties]) =>
			content.beginMark(await replacement(content, properties)),
		EMC: (content) => content.endMark(),
		Do: showForm,
	}),
);

/**
 * Reads what a page or a form shows (8.10), within the content that shows it. If that fails, what
 * follows is where it was.
 *
 * @param dictionary of the page or the form
 */
async function readContent(
	{ page, resources, state, depth }: Content,
	dictionary: Dictionary,
	stream: Value | undefined,
): Promise<void> {
	const { source } = page;
	const isRead = await ifReadable(async () => {
		ensure(page.formsLeft >= 0 && depth <= DEEPEST_FORM, 'There are too many forms');
		page.formsLeft -= 1;
		const matrix = await dictionary.list('/Matrix');
		const ctm = matrix.length < 6 ? state.ctm : multiply(matrixOf(matrix), state.ctm);
		const own = await dictionary.resolve('/Resources');
		const given = own instanceof Dictionary ? own : resources;
		const inner = new Content(page, given, { ...state, ctm }, depth + 1);
		await scan(source, await source.content(stream), (operator, operands) => {
			return OPERATORS.get(operator)?.(inner, operands);
		});
		return true;
	});
	if (!isRead) page.runs.isIncomplete = true;
}

/** The text that marked content says it stands for; the properties are in place, or a resource. */
async function replacement(
	content: Content,
	properties: Value | undefined,
): Promise<string | undefined> {
	const isInPlace = properties instanceof Dictionary;
	const named = isInPlace ? properties : await content.resource('/Properties', properties);
	const found = await content.page.source.resolve(named);
	if (!(found instanceof Dictionary)) return undefined;
	const text = await found.resolve('/ActualText');
	return text instanceof PdfString && isText(text.text) ? text.text : undefined;
}

async function showForm(content: Content, [name]: readonly Value[]): Promise<void> {
	const form = await content.page.source.resolve(await content.resource('/XObject', name));
	if (!(form instanceof Stream) || form.dictionary.get('/Subtype') !== '/Form') return;
	await readContent(content, form.dictionary, form);
}
