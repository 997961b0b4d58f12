import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { FIELD_RULES } from './rules';
import { automatic, fieldEntries, fieldsJson } from './parameters';
import { jsonList } from '../../../parameters/checks/jsonInput';
import { givenParameter, rowsOf, type Given } from '../../../parameters/checks/given';
import type { Problems } from '../../../parameters/checks/problems';
import { checkObject, checkValue, type PropertyRule, type PropertyRules } from '../../../parameters/checks/rules';
import { LENGTH, MOST_FIELDS, MOST_RECIPIENTS } from '../../../service/limits';
import type { FieldInput } from '../../../client';

/** Sums of two decimal fractions may exceed 1 by a rounding error, which is no box off the page. */
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

/** The label of whatever gives the fields, for messages about them as a whole. */
export const FIELDS_LABEL = 'Fields to Place';

/** The fields of one item, checked by themselves (docs/service.md section 2); recipients.ts resolves who fills them. */
export function readFields(
	context: IExecuteFunctions,
	itemIndex: number,
	problems: Problems,
	{ defaultPage }: { defaultPage: 'first' | 'last' },
): FieldsRequest {
	const choices = ['none', 'automatic', 'form', 'json'];
	const rule: PropertyRule = { label: FIELDS_LABEL, type: 'choice', choices, required: true };
	const mode = checkValue(givenParameter(context, itemIndex, 'fieldsInput'), rule, FIELDS_LABEL, problems);
	if (mode === undefined || mode === 'none') return { mode: 'none' };
	if (mode === 'automatic') {
		return { mode, automatic: readAutomatic(context, itemIndex, problems, defaultPage) };
	}
	const asJson = mode === 'json';
	const label = asJson ? fieldsJson.displayName : fieldEntries.displayName;
	const entries = asJson
		? jsonList(givenParameter(context, itemIndex, fieldsJson.name), label, 'fields', problems)
		: rowsOf(givenParameter(context, itemIndex, fieldEntries.name), 'field').map(flattened);
	if (!entries) return { mode: 'list', label, fields: [] };
	if (entries.length > MOST_FIELDS) {
		problems.add(label, `has ${entries.length} entries`, `Use ${MOST_FIELDS} at most`);
		return { mode: 'list', label, fields: [] };
	}
	const fields = entries.map((entry, index) => readField(entry, `${label} > ${index + 1}`, asJson, problems));
	return { mode: 'list', label, fields };
}

function readAutomatic(
	context: IExecuteFunctions,
	itemIndex: number,
	problems: Problems,
	defaultPage: 'first' | 'last',
): AutomaticRequest {
	const rules: PropertyRules = {
		page: { label: 'Page', type: 'choice', choices: ['first', 'last', 'number'] },
		pageNumber: { label: 'Page Number', type: 'integer', min: 1 },
		addName: { label: 'Add Name', type: 'boolean' },
		addDate: { label: 'Add Date', type: 'boolean' },
		signers: { label: 'Signers', type: 'strings', max: LENGTH.email, items: MOST_RECIPIENTS },
	};
	const given = givenParameter(context, itemIndex, automatic.name);
	const checked = checkObject(given, rules, { label: automatic.displayName, json: false }, problems);
	return {
		page: pageOf(checked, defaultPage),
		addName: checked.addName === true,
		addDate: checked.addDate === true,
		signers: (checked.signers as string[] | undefined) ?? [],
	};
}

/** A Page Number alone means that page. */
function pageOf({ page, pageNumber }: IDataObject, defaultPage: 'first' | 'last'): number | 'last' {
	const chosen = page ?? (pageNumber === undefined ? defaultPage : 'number');
	if (chosen === 'last') return 'last';
	return chosen === 'first' ? 1 : ((pageNumber as number | undefined) ?? 1);
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
