import type { Item, Problems } from '../../../operation/parameters';
import { MAX_FIELDS } from '../../../service/limits';
import type { Place, Placement } from './placeBoxes';
import { fields } from './field';
import { sizeOf } from './fieldTypes';
import { automatic, fieldsMode } from './parameters';

/** Two decimals may add up to slightly more than 1: such a box still fits. */
const ROUNDING = 1e-9;

/** A4, in points: where a position is given, nobody reads how large the pages are. */
const USUAL_PAGE = { width: 595, height: 842 };

/** A field as it was asked for, with what else the service takes of it. */
export type RequestedField = Partial<Place> &
	Omit<Placement, 'match'> & {
		/** An email or a 1-based position. */
		recipient?: string;
		/** The text that says where it is. */
		text?: string;
		occurrence?: 'only' | 'first' | 'last' | 'every';
	};

export interface AutomaticRequest {
	useTags: boolean;
	page: number | 'last';
	addName?: boolean;
	addDate?: boolean;
	/** Positions or emails of those who sign, where the service does not tell; empty for everyone. */
	signers: string[];
}

/** What fields are asked for: automatically placed ones, those of a list, or none. */
export interface FieldsRequest {
	/** As messages name them. */
	label: string;
	fields: RequestedField[];
	automatic?: AutomaticRequest;
}

/**
 * The fields of one item, checked by themselves (docs/service.md section 2); plan.ts resolves who
 * fills them.
 */
export function readFields(item: Item): FieldsRequest {
	const mode = item.read(fieldsMode);
	const none = { label: fieldsMode.label, fields: [] };
	if (mode === undefined || mode === 'none') return none;
	if (mode === 'automatic') return { ...none, automatic: readAutomatic(item) };
	const given = item.read(fields);
	if (!given) return none;
	const { label, json, entries } = given;
	if (entries.length > MAX_FIELDS)
		item.problems.add(label, `has ${entries.length} entries`, `Use ${MAX_FIELDS} at most`);
	const fieldsAsked = entries.map((field) => withSize(field as unknown as RequestedField));
	fieldsAsked.forEach((field, index) =>
		checkFits(field, `${label} > ${index + 1}`, json, item.problems),
	);
	return { label, fields: fieldsAsked };
}

/** A Page Number alone means that page. */
function readAutomatic(item: Item): AutomaticRequest {
	const { page, pageNumber, signers = [], ...given } = item.read(automatic);
	const chosen = page ?? (pageNumber === undefined ? 'last' : 'number');
	const named = chosen === 'first' ? 1 : (pageNumber ?? 1);
	return { useTags: true, ...given, page: chosen === 'last' ? 'last' : named, signers };
}

/** Whether the text of the document says where fields are. */
export function asksForText({ automatic, fields }: FieldsRequest): boolean {
	return automatic?.useTags === true || fields.some(({ text }) => text !== undefined);
}

/** Whether the fields can be placed only if the pages of the document are known. */
export function asksForOriginal(request: FieldsRequest): boolean {
	return request.automatic?.page === 'last' || asksForText(request);
}

/** At a position a size of 0 is the usual one; at a text it depends on the room there. */
function withSize(field: RequestedField): RequestedField {
	if (field.text !== undefined) return field;
	const { widthNorm, heightNorm } = field;
	const { width, height } = sizeOf(field);
	return {
		...field,
		widthNorm: widthNorm === 0 ? width / USUAL_PAGE.width : widthNorm,
		heightNorm: heightNorm === 0 ? height / USUAL_PAGE.height : heightNorm,
	};
}

/** A box that leaves its page is `field_out_of_bounds` (docs/service.md section 4). */
function checkFits(field: RequestedField, label: string, json: boolean, problems: Problems): void {
	const edges = [
		['right', 'xNorm', 'widthNorm', 'Left', 'Width'],
		['bottom', 'yNorm', 'heightNorm', 'Top', 'Height'],
	] as const;
	for (const [edge, start, extent, ...labels] of edges) {
		const end = Number(field[start]) + Number(field[extent]);
		if (end > 1) field[extent] = 1 - Number(field[start]);
		if (end > 1 + ROUNDING) {
			const names = json ? [start, extent] : labels;
			const sum = `${names.join(' plus ')} is ${Number(end.toFixed(6))}`;
			const what = `the box leaves the page at its ${edge} edge: ${sum}`;
			problems.add(label, what, `Reduce ${names.join(' or ')} so that they add up to 1 at most`);
		}
	}
}
