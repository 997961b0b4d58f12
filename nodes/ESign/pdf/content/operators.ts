import { ifReadable, Unreadable } from '../objects/source';
import { scan, type Scanner } from '../objects/scanner';
import { PdfString } from '../objects/pdfString';
import { numeric, Stream, type Value } from '../objects/values';
import { Content } from './content';
import { IDENTITY, matrixOf, multiply, type Matrix } from './matrix';
import { showText } from './showText';

/** Does what an operator says. */
type Operator = (
	content: Content,
	operands: Value[],
	scanner: Scanner,
) => Promise<void> | undefined | void;

const DEEPEST_FORM = 12;

const numberAt = (operands: Value[], at: number): number => numeric(operands[at]) ?? 0;
const matrixIn = (operands: Value[]): Matrix => matrixOf(operands.map(numeric));

/** Those that text depends on (ISO 32000-1, annex A). */
const OPERATORS: Record<string, Operator | undefined> = {
	q: (content) => content.save(),
	Q: (content) => content.restore(),
	cm: ({ state }, operands) => {
		state.ctm = multiply(matrixIn(operands), state.ctm);
	},
	gs: async (content, [name]) => await useStateOf(content, name),
	BT: (content) => content.place(IDENTITY),
	Tm: (content, operands) => content.place(matrixIn(operands)),
	Td: (content, operands) => content.nextLine(numberAt(operands, 0), numberAt(operands, 1)),
	TD: (content, operands) => {
		content.state.leading = -numberAt(operands, 1);
		content.nextLine(numberAt(operands, 0), numberAt(operands, 1));
	},
	'T*': (content) => content.nextLine(0, -content.state.leading),
	Tf: (content, operands) => {
		content.state.size = numberAt(operands, 1);
		return content.useNamedFont(operands[0]);
	},
	Tc: ({ state }, operands) => {
		state.charSpace = numberAt(operands, 0);
	},
	Tw: ({ state }, operands) => {
		state.wordSpace = numberAt(operands, 0);
	},
	Tz: ({ state }, operands) => {
		state.scale = numberAt(operands, 0) / 100;
	},
	TL: ({ state }, operands) => {
		state.leading = numberAt(operands, 0);
	},
	Ts: ({ state }, operands) => {
		state.rise = numberAt(operands, 0);
	},
	Tj: showText,
	TJ: (content, [parts]) => showText(content, Array.isArray(parts) ? parts : []),
	"'": (content, operands) => {
		content.nextLine(0, -content.state.leading);
		showText(content, operands);
	},
	'"': (content, operands) => {
		content.state.wordSpace = numberAt(operands, 0);
		content.state.charSpace = numberAt(operands, 1);
		content.nextLine(0, -content.state.leading);
		showText(content, operands.slice(2));
	},
	BMC: (content) => content.beginMark(),
	BDC: async (content, [, properties]) => await beginMark(content, properties),
	EMC: (content) => content.endMark(),
	ID: (_, __, scanner) => scanner.beginImage(),
	Do: async (content, [name]) => await showForm(content, name),
};

/** Reads what a content stream shows. */
export async function readContent(content: Content, pieces: AsyncIterable<Buffer>): Promise<void> {
	const { source } = content.page.objects;
	await scan(
		source,
		pieces,
		(operator, operands, scanner) => OPERATORS[operator]?.(content, operands, scanner) ?? undefined,
	);
}

/** Of a state that is kept by name, text needs the font (8.4.5). */
async function useStateOf(content: Content, name: Value | undefined): Promise<void> {
	const { objects } = content.page;
	const state = await content.resource('/ExtGState', name);
	if (!(state instanceof Map) || !state.has('/Font')) return;
	const list = await objects.resolve(state.get('/Font'));
	if (!Array.isArray(list)) return;
	content.state.size = (await objects.number(list[1])) ?? 0;
	await content.useFont(list[0]);
}

async function beginMark(content: Content, properties: Value | undefined): Promise<void> {
	const { objects } = content.page;
	const found =
		typeof properties === 'string' ? await content.resource('/Properties', properties) : properties;
	const text = found instanceof Map ? await objects.resolve(found.get('/ActualText')) : undefined;
	content.beginMark(text instanceof PdfString ? text.text : undefined);
}

/** Reads a form where it is shown (8.10). If that fails, what follows is where it was. */
async function showForm(content: Content, name: Value | undefined): Promise<void> {
	const { page } = content;
	const form = await content.resource('/XObject', name);
	if (!(form instanceof Stream) || form.dictionary.get('/Subtype') !== '/Form') return;
	const isRead = await ifReadable(async () => {
		await readForm(content, form);
		return true;
	});
	if (!isRead) page.isIncomplete = true;
}

async function readForm(content: Content, { dictionary, at }: Stream): Promise<void> {
	const { page, state, depth } = content;
	const { objects } = page;
	page.formsLeft -= 1;
	if (page.formsLeft < 0 || depth >= DEEPEST_FORM) throw new Unreadable('There are too many forms');
	const matrix = (await objects.list(dictionary.get('/Matrix'))).map(numeric);
	const ctm = multiply(matrix.length < 6 ? IDENTITY : matrixOf(matrix), state.ctm);
	const resources = dictionary.has('/Resources')
		? await objects.dictionary(dictionary.get('/Resources'))
		: content.resources;
	const inner = await Content.open(page, resources, { ...state, ctm }, depth + 1);
	await readContent(inner, objects.pieces(new Stream(dictionary, at)));
}
