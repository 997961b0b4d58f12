import type { IDataObject } from 'n8n-workflow';
import { listed, runOf } from '../../client';
import { foundNothing, partOf, refusedForGlue, type Item } from '../../operation/parameters';
import { prefillText } from './prefillText';
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

const REOPEN = 'Close and open the node to see its fields, and fill them in';

/**
 * The values of the fields by their keys, as text; fields left empty are for the signer to fill.
 */
export async function readFieldValues(item: Item, templateId: string): Promise<IDataObject> {
	const mapped = await fieldValues.read(item, templateId);
	if (!mapped) return {};
	const { automatic, values, schema, read } = mapped;
	const fields = read?.fields ?? new Map(schema.map(({ id, kind }) => [id, kind]));
	const keys = automatic ? [...fields.keys()] : Object.keys(Object(values.value) as object);
	const run = runOf(item.context);
	const found = keys.flatMap((key): Array<[string, string]> => {
		const given = partOf(values, key);
		const refuse = item.problems.at(`${fieldValues.label} > ${key}`);
		if (refusedForGlue(given, refuse)) return [];
		const text = prefillText(given.value, fields.get(key), item.timezone, refuse);
		if (text === '' && foundNothing(given)) run.hintAt(LEFT_OPEN, key);
		if (!text) return [];
		if (!fields.has(key)) {
			if (read) refuse('the template that is chosen now has no such field', REOPEN);
			else if (fields.size > 0) run.hintAt(UNKNOWN, key);
		}
		return [[key, text]];
	});
	return Object.fromEntries(found);
}
