import type { IDataObject } from 'n8n-workflow';
import type { FieldInput } from '../../../client';
import { rowsOf, type Given } from '../../../parameters/checks/given';
import { jsonList } from '../../../parameters/checks/jsonInput';
import type { Problems } from '../../../parameters/checks/problems';
import { checkObject } from '../../../parameters/checks/rules';
import type { ValuesOf } from '../../../parameters/declare';
import type { Item } from '../../../parameters/item';
import { MOST_FIELDS } from '../../../service/limits';
import { FIELD_RULES } from './field';
import { automatic, fieldEntries, fieldsJson, fieldsMode } from './parameters';

/** Two decimals may add up to slightly more than 1: such a box still fits. */
const ROUNDING = 1e-9;

/** A field as it was asked for: `recipient` is an email or a 1-based position, `label` says where it was asked for. */
export interface RequestedField {
	label: string;
	recipient?: string;
	input: Omit<FieldInput, 'recipientId'>;
}

/** How automatic placement was asked for; `page` is a number or the last one. */
export interface AutomaticRequest {
	page: number | 'last';
	addName: boolean;
	addDate: boolean;
	/** Positions or emails of those who sign, where the service does not tell; empty for everyone. */
	signers: string[];
}

export type FieldsRequest =
	| { mode: 'none' }
	| { mode: 'automatic'; automatic: AutomaticRequest }
	| { mode: 'list'; label: string; fields: RequestedField[] };

/** The fields of one item, checked by themselves (docs/service.md section 2); recipients.ts resolves who fills them. */
export function readFields(item: Item, defaultPage: 'first' | 'last'): FieldsRequest {
	const mode = item.read(fieldsMode);
	if (mode === undefined || mode === 'none') return { mode: 'none' };
	if (mode === 'automatic') return { mode, automatic: readAutomatic(item, defaultPage) };
	const asJson = mode === 'json';
	const { name, displayName: label } = asJson ? fieldsJson : fieldEntries;
	const given = item.given(name);
	const entries = asJson ? jsonList(given, label, 'fields', item.problems) : rowsOf(given, 'field').map(flattened);
	if (!entries) return { mode: 'list', label, fields: [] };
	if (entries.length > MOST_FIELDS) {
		item.problems.add(label, `has ${entries.length} entries`, `Use ${MOST_FIELDS} at most`);
		return { mode: 'list', label, fields: [] };
	}
	const fields = entries.map((entry, index) => readField(entry, `${label} > ${index + 1}`, asJson, item.problems));
	return { mode: 'list', label, fields };
}

function readAutomatic(item: Item, defaultPage: 'first' | 'last'): AutomaticRequest {
	const { addName = false, addDate = false, signers = [], ...where } = item.read(automatic);
	return { page: pageOf(where, defaultPage), addName, addDate, signers };
}

/** A Page Number alone means that page. */
function pageOf(
	{ page, pageNumber }: ValuesOf<typeof automatic.entries>,
	defaultPage: 'first' | 'last',
): number | 'last' {
	const chosen = page ?? (pageNumber === undefined ? defaultPage : 'number');
	if (chosen === 'last') return 'last';
	return chosen === 'first' ? 1 : (pageNumber ?? 1);
}

/** The form keeps the rarely used properties in a collection of their own. */
function flattened(row: Given): Given {
	return { value: together(row.value), raw: together(row.raw) };
}

function together(row: unknown): IDataObject {
	const { additionalFields, ...field } = Object(row) as IDataObject;
	return { ...field, ...(additionalFields as IDataObject | undefined) };
}

function readField(entry: Given, label: string, json: boolean, problems: Problems): RequestedField {
	const { recipient, ...input } = checkObject(entry, FIELD_RULES, { label, json }, problems);
	checkFits(input, label, json, problems);
	return {
		label,
		...(recipient !== undefined && { recipient: recipient as string }),
		input: input as Omit<FieldInput, 'recipientId'>,
	};
}

/** A box that leaves its page is `field_out_of_bounds` (docs/service.md section 4). */
function checkFits(field: IDataObject, label: string, json: boolean, problems: Problems): void {
	const edges = [
		['xNorm', 'widthNorm', 'right edge'],
		['yNorm', 'heightNorm', 'bottom edge'],
	] as const;
	for (const [start, extent, edge] of edges) {
		const from = field[start];
		const length = field[extent];
		if (typeof from !== 'number' || typeof length !== 'number' || from + length <= 1) continue;
		const over = from + length - 1;
		if (over <= ROUNDING) {
			field[extent] = 1 - from;
			continue;
		}
		const names = json ? [start, extent] : [FIELD_RULES[start]?.label, FIELD_RULES[extent]?.label];
		const what = `the box leaves the page at its ${edge}: ${names.join(' plus ')} is ${Number((from + length).toFixed(6))}`;
		problems.add(label, what, `Reduce ${names.join(' or ')} so that they add up to 1 at most`);
	}
}
