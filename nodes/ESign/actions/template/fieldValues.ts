import type { IDataObject } from 'n8n-workflow';
import { runOf } from '../../client';
import { charactersOf, foundNothing, partOf, refusedForGlue, type Item } from '../../parameters';
import { LENGTH } from '../../service/limits';
import { listed } from '../hints';
import { prefillText, type Prefill } from './prefillText';
import { TemplateMapper } from './templateMapper';

export const fieldValues = new TemplateMapper('fieldValues', 'Field Values', {
	method: 'getTemplateFields',
	words: ['field', 'fields'],
	description:
		'Values to write into the document, by the name of the field. The signer cannot change them; leave a field empty to have it filled by the signer. A date is written as 2026-12-31. Of date and email fields only custom ones take a value.',
});

const LEFT_OPEN = (keys: readonly string[]) =>
	`Field Values: left to the signer, because the expression found nothing: ${listed(keys)}`;

const UNKNOWN = (keys: readonly string[]) =>
	`Field Values: the editor does not know these fields of the template, and the service ignores values of fields that do not exist: ${listed(keys)}`;

/** The values of the fields by their keys, as text; fields left empty are for the signer to fill. */
export async function readFieldValues(item: Item, templateId: string): Promise<IDataObject> {
	const mapped = await fieldValues.read(item, templateId);
	if (!mapped) return {};
	const { automatic, values, schema, removed, read } = mapped;
	const fields = read?.fields ?? new Map(schema.map(({ id, kind }) => [id, kind]));
	const keys = automatic ? [...fields.keys()] : Object.keys(Object(values.value) as object);
	const run = runOf(item.context);
	const found = keys.flatMap((key): Array<[string, string]> => {
		const given = partOf(values, key);
		const parameter = `${fieldValues.label} > ${key}`;
		if (removed.has(key) || refusedForGlue(given, parameter, item.problems)) return [];
		const isKnown = fields.has(key);
		const prefill = prefillText(given.value, fields.get(key), item.context.getTimezone());
		const checked = 'text' in prefill ? fitting(prefill.text, isKnown || !read) : prefill;
		if ('what' in checked) {
			item.problems.add(parameter, checked.what, checked.remedy);
			return [];
		}
		if (checked.text === '') {
			if (foundNothing(given)) run.hintAt(LEFT_OPEN, key);
			return [];
		}
		if (fields.size > 0 && !isKnown) run.hintAt(UNKNOWN, key);
		return [[key, checked.text]];
	});
	return Object.fromEntries(found);
}

/** The text, if the template that was read has a field for it. */
function fitting(text: string, hasField: boolean): Prefill {
	const characters = charactersOf(text);
	if (characters > LENGTH.fieldValue) {
		return { what: `has ${characters} characters`, remedy: `Shorten it to ${LENGTH.fieldValue} at most` };
	}
	if (text === '' || hasField) return { text };
	const remedy = 'Close and open the node to see its fields, and fill them in';
	return { what: 'the template that is chosen now has no such field', remedy };
}
