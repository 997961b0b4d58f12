import {
	PDFArray,
	PDFBool,
	PDFCheckBox,
	PDFDict,
	PDFDropdown,
	PDFName,
	PDFNumber,
	PDFRef,
	PDFStream,
	PDFTextField,
	StandardFonts,
	concatTransformationMatrix,
	drawObject,
	popGraphicsState,
	pushGraphicsState,
	type PDFDocument,
	type PDFFont,
	type PDFPage,
} from 'pdf-lib';

/** Annotation flags (ISO 32000-1, table 165) of what is not shown. */
const HIDDEN = 2 | 32;

/**
 * Makes what was filled into a form part of the pages, and removes the form with all of its
 * widgets: fields do not survive the copying of pages, and a widget without its field is an
 * annotation that leads nowhere. False when there is no form.
 */
export function flattenForm(document: PDFDocument): boolean {
	const widgets = document
		.getPages()
		.flatMap((page) => widgetsOf(page).map((widget) => ({ page, widget })));
	if (widgets.length === 0 && document.catalog.getAcroForm() === undefined) return false;
	drawMissingAppearances(document);
	for (const { page, widget } of widgets) {
		const appearance = appearanceOf(widget);
		if (appearance) drawAppearance(page, widget, appearance);
	}
	for (const page of document.getPages()) removeWidgets(page);
	document.catalog.delete(PDFName.of('AcroForm'));
	document.catalog.delete(PDFName.of('Perms'));
	return true;
}

function widgetsOf(page: PDFPage): PDFDict[] {
	const annotations = page.node.Annots()?.asArray() ?? [];
	return annotations
		.map((entry) => page.node.context.lookup(entry))
		.filter((entry) => entry instanceof PDFDict)
		.filter(isWidget);
}

function isWidget(annotation: PDFDict): boolean {
	return annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Widget');
}

/**
 * Some programs leave it to the reader to draw what was filled in: they store no appearance, or an
 * old one, and say NeedAppearances (ISO 32000-1, table 218). What pdf-lib cannot draw is left out.
 */
function drawMissingAppearances(document: PDFDocument): void {
	let font: PDFFont | undefined;
	try {
		const { dict } = document.getForm().acroForm;
		const isStale = dict.lookup(PDFName.of('NeedAppearances')) === PDFBool.True;
		for (const field of document.getForm().getFields()) {
			const widgets = field.acroField.getWidgets();
			if (!isStale && widgets.every((widget) => widget.getAppearances()?.normal)) continue;
			try {
				font ??= document.embedStandardFont(StandardFonts.Helvetica);
				if (field instanceof PDFTextField || field instanceof PDFDropdown)
					field.updateAppearances(font);
				else if (field instanceof PDFCheckBox) field.updateAppearances();
			} catch {
				continue;
			}
		}
	} catch {
		return;
	}
}

/** The stream that a reader shows for a widget, in the state that it is in. */
function appearanceOf(widget: PDFDict): PDFRef | undefined {
	const flags = widget.lookup(PDFName.of('F'));
	if (flags instanceof PDFNumber && (flags.asNumber() & HIDDEN) !== 0) return undefined;
	const appearances = widget.lookup(PDFName.of('AP'));
	if (!(appearances instanceof PDFDict)) return undefined;
	const normal = appearances.get(PDFName.of('N'));
	const found = widget.context.lookup(normal);
	if (found instanceof PDFStream) return normal instanceof PDFRef ? normal : undefined;
	const state = widget.lookup(PDFName.of('AS'));
	if (!(found instanceof PDFDict) || !(state instanceof PDFName)) return undefined;
	const chosen = found.get(state);
	return chosen instanceof PDFRef && widget.context.lookup(chosen) instanceof PDFStream
		? chosen
		: undefined;
}

/**
 * Fits the appearance into the widget's rectangle, as readers do (ISO 32000-1, 12.5.5, algorithm
 * 8.1).
 */
function drawAppearance(page: PDFPage, widget: PDFDict, appearance: PDFRef): void {
	const form = page.node.context.lookup(appearance, PDFStream).dict;
	// Some programs leave it out, and readers do not draw an object without it on a page.
	form.set(PDFName.of('Subtype'), PDFName.of('Form'));
	const rectangle = numbers(widget, 'Rect');
	const box = numbers(form, 'BBox');
	if (rectangle.length !== 4 || box.length !== 4) return;
	const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(form, 'Matrix');
	const [left = 0, bottom = 0, right = 0, top = 0] = box;
	const corners = [
		[left, bottom],
		[right, bottom],
		[left, top],
		[right, top],
	].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
	const from = bounds(corners);
	const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = rectangle;
	const to = bounds([
		[x1, y1],
		[x2, y2],
	]);
	if (from.width === 0 || from.height === 0) return;
	const [sx, sy] = [to.width / from.width, to.height / from.height];
	page.pushOperators(
		pushGraphicsState(),
		concatTransformationMatrix(sx, 0, 0, sy, to.x - from.x * sx, to.y - from.y * sy),
		drawObject(page.node.newXObject('Field', appearance)),
		popGraphicsState(),
	);
}

function bounds(corners: ReadonlyArray<readonly [number, number]>) {
	const xs = corners.map(([x]) => x);
	const ys = corners.map(([, y]) => y);
	const [x, y] = [Math.min(...xs), Math.min(...ys)];
	return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function numbers(dictionary: PDFDict, key: string): number[] {
	const array = dictionary.lookup(PDFName.of(key));
	if (!(array instanceof PDFArray)) return [];
	return Array.from({ length: array.size() }, (_, index) => array.lookup(index))
		.filter((entry) => entry instanceof PDFNumber)
		.map((entry) => entry.asNumber());
}

/** Removes the widgets, and with them references to annotations that do not exist. */
function removeWidgets(page: PDFPage): void {
	const annotations = page.node.Annots();
	if (!annotations) return;
	const kept = annotations.asArray().filter((entry) => {
		const annotation = page.node.context.lookup(entry);
		return annotation instanceof PDFDict && !isWidget(annotation);
	});
	if (kept.length === 0) page.node.delete(PDFName.of('Annots'));
	else page.node.set(PDFName.of('Annots'), page.node.context.obj(kept));
}
