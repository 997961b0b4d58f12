import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { isNothing, partOf, type Given } from '../../parameters/checks/given';
import type { Problems } from '../../parameters/checks/problems';
import { checkValue } from '../../parameters/checks/rules';
import { JsonList } from '../../parameters/entryList';
import { checkRecipients, emailRule, nameRule, phoneRule, repetitions } from '../../parameters/people';
import { LENGTH } from '../../service/limits';
import type { TemplateRecipientInput } from '../../client';
import { readMapper, type Mapped } from './templateFields';

/** What is asked of the person of each role. */
const PERSON = { name: nameRule(LENGTH.templateName), email: emailRule, phone: phoneRule };

type Part = keyof typeof PERSON;

/** The columns of the mapper that a role has. */
export const PARTS = Object.keys(PERSON) as Part[];

/** The name of a column, as spreadsheets have it: `Client email`. */
export const columnOf = (role: string, part: Part): string => `${role} ${part}`;

const COLUMN = new RegExp(`^(.+) (?:${PARTS.join('|')})$`, 's');

export const people: INodeProperties = {
	displayName: 'Recipients',
	name: 'people',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		loadOptionsDependsOn: ['templateId.value'],
		resourceMapper: {
			resourceMapperMethod: 'getTemplateRecipients',
			valuesLabel: 'Recipients',
			mode: 'add',
			fieldWords: { singular: 'detail', plural: 'details' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
			hideNoDataError: true,
			refreshStaleSchemaOnOpen: true,
		},
	},
	description:
		'Who takes each role of the template: a name, an e-mail address and, if you add it, a phone number. Mapped automatically, they come from input fields such as "Client name" and "Client email".',
};

const recipients = new JsonList({
	name: 'recipients',
	displayName: 'Recipients',
	form: {
		option: { name: 'By Role Below', value: 'roles', description: 'Fill in a name and an address for each role' },
		parameter: people,
	},
	rules: { role: { label: 'Role', type: 'string', max: LENGTH.role, required: true }, ...PERSON },
	json: {
		placeholder: 'e.g. [{"role": "Client", "name": "Ada Lovelace", "email": "ada@example.com"}]',
		hint: 'Each entry: role, name and email, optionally phone',
		description:
			'A list of one recipient per role of the template, each an object with role, name, email and optionally phone',
	},
});

export const templateRecipientsDescription = recipients.description;

/** One recipient per role, checked (docs/service.md section 2, Recipient input on POST /templates/{id}/send). */
export async function readTemplateRecipients(
	context: IExecuteFunctions,
	itemIndex: number,
	templateId: string,
	problems: Problems,
): Promise<TemplateRecipientInput[]> {
	if (!recipients.isJson(context, itemIndex, problems)) {
		const mapped = await readMapper(context, itemIndex, people.name, templateId, problems);
		return mapped ? personOfEachRole(mapped, problems) : [];
	}
	const given = recipients.readJson(context, itemIndex, problems);
	if (!given) return [];
	const { label, entries } = given;
	checkRecipients(entries, label, problems);
	for (const { index, first, value } of repetitions(entries, 'role')) {
		const what = `"${value}" is already assigned to recipient ${first + 1}`;
		problems.add(`${label} > ${index + 1} > role`, what, 'Give every role of the template one recipient');
	}
	return entries as TemplateRecipientInput[];
}

function personOfEachRole({ automatic, values, schema, read }: Mapped, problems: Problems): TemplateRecipientInput[] {
	const mapped = automatic ? [] : Object.keys(Object(values.value) as object);
	const roles = read?.roles ?? rolesIn([...schema.map(({ id }) => id), ...mapped]);
	for (const column of read ? mapped : []) {
		if (isNothing(partOf(values, column).value) || roles.includes(rolesIn([column])[0] ?? '')) continue;
		const what = 'the template that is chosen now has no such role';
		problems.add(
			`${people.displayName} > ${column}`,
			what,
			'Close and open the node to see its roles, and fill them in',
		);
	}
	const removed = new Set(automatic ? [] : schema.filter((field) => field.removed).map(({ id }) => id));
	const persons = roles.map((role) => {
		const person: IDataObject = { role };
		for (const part of PARTS) {
			const column = columnOf(role, part);
			if (removed.has(column)) continue;
			const parameter = `${people.displayName} > ${column}`;
			const given = automatic ? columnIn(values, column) : partOf(values, column);
			if (automatic && !given && PERSON[part].required) {
				problems.add(parameter, `the input item has no field "${column}"`, 'Rename a field, or map each recipient');
			}
			const value = given && checkValue(given, PERSON[part], parameter, problems);
			if (value !== undefined) person[part] = value;
		}
		return person;
	});
	checkRecipients(persons, people.displayName, problems, roles);
	return persons as TemplateRecipientInput[];
}

/** The roles that the columns belong to, each once. */
function rolesIn(columns: readonly string[]): string[] {
	return [...new Set(columns.flatMap((column) => COLUMN.exec(column)?.[1] ?? []))];
}

/** The field of an item that is called like the column, be it `Client email`, `client_email` or `clientEmail`. */
function columnIn(item: Given, column: string): Given | undefined {
	const names = Object.keys(Object(item.value) as object);
	const name = names.find((one) => one === column) ?? names.find((one) => bare(one) === bare(column));
	return name === undefined ? undefined : partOf(item, name);
}

const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
