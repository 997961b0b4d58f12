import type { IDataObject } from 'n8n-workflow';
import { listed, runOf, type Words } from '../../client';
import {
	foundNothing,
	isLeftOut,
	isNothing,
	partOf,
	refusedForMistake,
	type Item,
	type ParameterValue,
	type Refuse,
} from '../../operation/parameters';
import { prefillText } from './prefillText';
import { readTemplate, type TemplateFields, type TemplateReading } from './templateFields';
import { namesIn, TemplateMapper } from './templateMapper';

export const fieldValues = new TemplateMapper('fieldValues', 'Field Values', {
	method: 'getTemplateFields',
	words: ['field', 'fields'],
	description:
		'Values to write into the document, by the name of the field. The signer cannot change them, and fills in what is left empty. A date is written as 2026-12-31.',
});

const FOUND_NOTHING: Words = (keys) =>
	`Field Values: left to the signer, because the expression found nothing: ${listed(keys)}`;

const NO_VALUE: Words = (keys) =>
	`Field Values: left to the signer, because the input has no value for them: ${listed(keys)}`;

const SIGNER_ONLY: Words = (keys) =>
	`Field Values: left to the signer, because fields of their type take no value: ${listed(keys)}`;

const NONE_FITS: Words = (keys) =>
	`Field Values: all left to the signer, because the input has no field that is called like one of the template: ${listed(keys)}`;

/**
 * The values of the fields by their keys, as text; fields left empty are for the signer to fill.
 *
 * @param isSent a contract that goes out without any of the values that were mapped is refused
 */
export async function readFieldValues(
	item: Item,
	templateId: string,
	isSent: boolean,
): Promise<IDataObject> {
	const { context, problems } = item;
	const { automatic, values } = fieldValues.read(item, templateId);
	const names = namesIn(values);
	const given = names.filter((key) => !isLeftOut(partOf(values, key)));
	for (const key of automatic ? [] : names)
		refusedForMistake(partOf(values, key), refuseAt(key, item));
	// No request is spent on an item that is refused anyway.
	if (problems.any) return {};

	const isRight = ({ fields }: KnownFields) => {
		if (automatic) return fields.size === 0 || names.some((name) => fields.has(name));
		return given.every((key) => fields.has(key));
	};
	let known: KnownFields = { fields: new Map(), signerOnly: [] };
	if (automatic || given.length > 0) known = await readTemplate(item, templateId);
	// It may have been edited since it was read.
	if (!isRight(known)) known = await readTemplate(item, templateId, true);
	const { fields, signerOnly } = known;
	if (!automatic) refuseUnknown(given, known, item);
	else if (!isRight(known)) {
		tellNoneFits(item, names, [...fields.keys()], isSent);
		return {};
	}

	const lost = signerOnly.filter((key) => !isNothing(partOf(values, key).value));
	for (const key of automatic ? lost : []) runOf(context).hintAt(SIGNER_ONLY, key);
	const found: IDataObject = {};
	for (const key of automatic ? fields.keys() : names) {
		const value = partOf(values, key);
		const text = textFor(key, value, fields, item);
		if (text) found[key] = text;
		else if (automatic && isNothing(value.value)) runOf(context).hintAt(NO_VALUE, key, 'info');
	}
	return found;
}

/**
 * The fields that the template has now: what the editor has stored may be from before it was
 * edited, and the service ignores values of fields that it does not have.
 */
type KnownFields = Pick<TemplateReading, 'fields' | 'signerOnly'>;

function refuseUnknown(
	given: readonly string[],
	{ fields, signerOnly }: KnownFields,
	item: Item,
): void {
	const has = fields.size > 0 ? `it has: ${listed([...fields.keys()])}` : 'it has none to fill';
	for (const key of given) {
		if (fields.has(key)) continue;
		const refuse = refuseAt(key, item);
		const remedy = 'Close and open the node to see the fields of the template, and fill them in';
		if (signerOnly.includes(key))
			refuse('a field of its type takes no value', 'Leave it empty: its signer fills it');
		else refuse(`the template has no such field; ${has}`, remedy);
	}
}

function tellNoneFits(
	{ context, problems }: Item,
	names: readonly string[],
	keys: readonly string[],
	isSent: boolean,
): void {
	if (!isSent) {
		for (const key of keys) runOf(context).hintAt(NONE_FITS, key);
		return;
	}
	const what = `no field of the input is called like one of the template, which has: ${listed(keys)}`;
	const has = names.length > 0 ? `The input has: ${listed(names)}` : 'The input has no fields';
	problems.add(fieldValues.label, what, `Rename fields of the input, or map each value. ${has}`);
}

/** Undefined if it is refused, which is then told; empty if the signer is to fill the field. */
function textFor(
	key: string,
	given: ParameterValue,
	fields: TemplateFields,
	item: Item,
): string | undefined {
	const { context, timezone } = item;
	const refuse = refuseAt(key, item);
	if (refusedForMistake(given, refuse)) return undefined;

	const isEmpty = isLeftOut(given);
	const text = isEmpty ? '' : prefillText(given.value, fields.get(key), timezone, refuse);
	const isLost = foundNothing(given) || (isEmpty && !isNothing(given.value));
	if (text === '' && isLost) runOf(context).hintAt(FOUND_NOTHING, key);
	return text;
}

function refuseAt(key: string, { problems }: Item): Refuse {
	return problems.at(`${fieldValues.label} > ${key}`);
}
