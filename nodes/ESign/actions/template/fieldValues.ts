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
} from '../../operation';
import { prefillKind, type PrefillKind } from '../../service/prefill';
import { prefillText } from './prefillText';
import { readTemplate } from './templateFields';
import { namesIn, TemplateMapper } from './templateMapper';

export const fieldValues = new TemplateMapper(
	'fieldValues',
	'Field Values',
	'getTemplateFields',
	{ singular: 'field', plural: 'fields' },
	'Values to write into the document, by the name of the field. The signer cannot change them, and fills in what is left empty. A date is written as 2026-12-31.',
);

const told =
	(what: string): Words =>
	(keys) =>
		`Field Values: ${what}: ${listed(keys)}`;

const FOUND_NOTHING = told('left to the signer, because the expression found nothing');

const NO_VALUE = told('left to the signer, because the input has no value for them');

const SIGNER_ONLY = told('left to the signer, because fields of their type take no value');

const NONE_FITS = told(
	'all left to the signer, because the input has no field that is called like one of the template',
);

/**
 * What each field of the template takes now, by its key: what the editor has stored may be from
 * before it was edited, and the service ignores values of fields that it does not have. Undefined:
 * no value, as a signature, which its signer fills.
 */
type Kinds = ReadonlyMap<string, PrefillKind | undefined>;

async function readKinds(item: Item, templateId: string, isFresh?: boolean): Promise<Kinds> {
	const { fields } = await readTemplate(item, templateId, isFresh);
	const kinds = new Map<string, PrefillKind | undefined>();
	for (const { field_key: key, type } of fields) {
		// Two boxes of one key are filled by one value.
		if (key !== null) kinds.set(key, kinds.get(key) ?? prefillKind(type));
	}
	return kinds;
}

/** The fields that take a value. */
function keysIn(kinds: Kinds): string[] {
	return [...kinds.keys()].filter((key) => kinds.get(key));
}

/**
 * The values of the fields by their keys, as text; fields left empty are for the signer to fill.
 *
 * @param isToBeSent a contract that goes out without any of the values that were mapped is refused
 */
export async function readFieldValues(
	item: Item,
	templateId: string,
	isToBeSent: boolean,
): Promise<IDataObject> {
	const { context, problems } = item;
	const { automatic, values } = fieldValues.read(item);
	const names = namesIn(values);
	const given = names.filter((key) => !isLeftOut(partOf(values, key)));
	for (const key of automatic ? [] : names)
		refusedForMistake(partOf(values, key), refuseAt(key, item));
	// No request is spent on an item that is refused anyway.
	if (problems.any) return {};

	const isRight = (kinds: Kinds) => {
		if (automatic) return keysIn(kinds).length === 0 || names.some((name) => kinds.get(name));
		return given.every((key) => kinds.get(key));
	};
	let kinds: Kinds = new Map();
	if (automatic || given.length > 0) kinds = await readKinds(item, templateId);
	// It may have been edited since it was read.
	if (!isRight(kinds)) kinds = await readKinds(item, templateId, true);
	if (!automatic) refuseUnknown(given, kinds, item);
	else if (!isRight(kinds)) {
		tellNoneFits(item, names, keysIn(kinds), isToBeSent);
		return {};
	}

	const isEmpty = (key: string) => isNothing(partOf(values, key).value);
	for (const key of automatic ? kinds.keys() : [])
		if (!kinds.get(key) && !isEmpty(key)) runOf(context).hintAt(SIGNER_ONLY, key);
	const found: IDataObject = {};
	for (const key of automatic ? keysIn(kinds) : names) {
		const text = textFor(key, partOf(values, key), kinds.get(key), item);
		if (text) found[key] = text;
		else if (automatic && isEmpty(key)) runOf(context).hintAt(NO_VALUE, key, 'info');
	}
	return found;
}

function refuseUnknown(given: readonly string[], kinds: Kinds, item: Item): void {
	const keys = keysIn(kinds);
	const has = keys.length > 0 ? `it has: ${listed(keys)}` : 'it has none to fill';
	for (const key of given) {
		if (kinds.get(key)) continue;
		const refuse = refuseAt(key, item);
		if (kinds.has(key))
			refuse('a field of its type takes no value', 'Leave it empty: its signer fills it');
		else
			refuse(
				`the template has no such field; ${has}`,
				'Close and open the node to see the fields of the template, and fill them in',
			);
	}
}

function tellNoneFits(
	{ context, problems }: Item,
	names: readonly string[],
	keys: readonly string[],
	isToBeSent: boolean,
): void {
	if (!isToBeSent) {
		for (const key of keys) runOf(context).hintAt(NONE_FITS, key);
		return;
	}
	const has = names.length > 0 ? `The input has: ${listed(names)}` : 'The input has no fields';
	problems.add(
		fieldValues.label,
		`no field of the input is called like one of the template, which has: ${listed(keys)}`,
		`Rename fields of the input, or map each value. ${has}`,
	);
}

/** Undefined if it is refused, which is then told; empty if the signer is to fill the field. */
function textFor(
	key: string,
	given: ParameterValue,
	kind: PrefillKind | undefined,
	item: Item,
): string | undefined {
	const refuse = refuseAt(key, item);
	if (refusedForMistake(given, refuse)) return undefined;
	if (!isLeftOut(given)) return prefillText(given.value, kind, item.timezone, refuse);
	// What a model says for nothing is lost, too.
	const isLost = foundNothing(given) || !isNothing(given.value);
	if (isLost) runOf(item.context).hintAt(FOUND_NOTHING, key);
	return '';
}

function refuseAt(key: string, { problems }: Item): Refuse {
	return problems.at(`${fieldValues.label} > ${key}`);
}
