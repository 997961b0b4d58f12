import type { IDataObject } from 'n8n-workflow';
import { runOf } from '../../client';
import { foundNothing, partOf, type Given } from '../../parameters/checks/given';
import { refusedForGlue } from '../../parameters/checks/glued';
import { charactersOf } from '../../parameters/checks/values';
import type { Item } from '../../parameters/item';
import { LENGTH } from '../../service/limits';
import { listed } from '../hints';
import { prefillText } from './prefillText';
import type { TemplateFields } from './templateFields';
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
	const given = keys.filter((key) => !removed.has(key)).map((key) => [key, partOf(values, key)] as const);
	return readValues(item, given, { fields, isRead: read !== undefined });
}

function readValues(
	{ context, problems }: Item,
	given: ReadonlyArray<readonly [string, Given]>,
	{ fields, isRead }: { fields: TemplateFields; isRead: boolean },
): IDataObject {
	const values: Array<[string, string]> = [];
	for (const [key, one] of given) {
		const parameter = `${fieldValues.label} > ${key}`;
		if (refusedForGlue(one, parameter, problems)) continue;
		const prefill = prefillText(one.value, fields.get(key), context.getTimezone());
		if ('what' in prefill) {
			problems.add(parameter, prefill.what, prefill.remedy);
			continue;
		}
		const characters = charactersOf(prefill.text);
		if (characters > LENGTH.fieldValue) {
			problems.add(parameter, `has ${characters} characters`, `Shorten it to ${LENGTH.fieldValue} at most`);
		} else if (prefill.text !== '' && isRead && !fields.has(key)) {
			const what = 'the template that is chosen now has no such field';
			problems.add(parameter, what, 'Close and open the node to see its fields, and fill them in');
		} else if (prefill.text !== '') {
			values.push([key, prefill.text]);
			if (fields.size > 0 && !fields.has(key)) runOf(context).hintAt(UNKNOWN, key);
		} else if (foundNothing(one)) {
			runOf(context).hintAt(LEFT_OPEN, key);
		}
	}
	return Object.fromEntries(values);
}
