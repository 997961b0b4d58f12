import type { IDataObject } from 'n8n-workflow';
import {
	checkRecipients,
	email,
	entryList,
	isNothing,
	nameInTemplate,
	partOf,
	phone,
	repetitions,
	templateLocator,
	text,
	type ParameterValue,
	type Item,
} from '../../operation';
import { MAX_LENGTH } from '../../service/limits';
import { inOrder, readTemplate } from './templateFields';
import { namesIn, TemplateMapper, type Mapped } from './templateMapper';

/** What is asked of the person of each role. */
const PERSON = [nameInTemplate, email, phone];

/** The columns of the mapper that a role has. */
export const PARTS = PERSON.map(({ name }) => name);

/** The name of a column, as spreadsheets have it: `Client email`. */
export const columnOf = (role: string, part: string): string => `${role} ${part}`;

const COLUMN = new RegExp(`^(.+) (?:${PARTS.join('|')})$`, 's');

export const people = new TemplateMapper(
	'people',
	'Recipients',
	'getTemplateRecipients',
	{ singular: 'detail', plural: 'details' },
	'Who takes each role of the template. Mapped automatically, names and addresses come from input fields such as "Client name" and "Client email".',
);

export const recipients = entryList({
	name: 'recipients',
	displayName: 'Recipients',
	values: [text('role', 'Role', { max: MAX_LENGTH.role, required: true }), ...PERSON],
	json: {
		placeholder: 'e.g. [{"role": "Client", "name": "Ada Lovelace", "email": "ada@example.com"}]',
		hint: 'Each entry: role, name and email, optionally phone',
		description:
			'A list of one recipient per role of the template, each an object with role, name, email and optionally phone',
	},
	option: {
		name: 'By Role Below',
		value: 'roles',
		description: 'Fill in a name and an address for each role',
	},
	form: people.property,
});

/**
 * One recipient per role, checked (docs/service.md section 2, Recipient input on POST
 * /templates/{id}/send).
 */
export async function readTemplateRecipients(
	item: Item,
	templateId: string,
): Promise<IDataObject[]> {
	const { problems } = item;
	if (!recipients.isJson(item)) {
		const mapped = people.read(item);
		if (isKnownByForm(mapped, item, templateId)) return personOfEachRole(mapped, undefined, item);
		// No request is spent on an item that is refused anyway.
		if (problems.any) return [];
		const { roles } = await readTemplate(item, templateId);
		const known = inOrder(roles).map(({ role }) => role);
		return personOfEachRole(mapped, known, item);
	}
	const given = item.read(recipients);
	if (!given) return [];
	const { label, entries } = given;
	checkRecipients(entries, label, problems);
	for (const { index, first, value } of repetitions(entries, 'role')) {
		problems.add(
			`${label} > ${index + 1} > role`,
			`"${value}" is already assigned to recipient ${first + 1}`,
			'Give every role of the template one recipient',
		);
	}
	return entries;
}

/**
 * Whether the roles are those that the form shows. An expression may name a template per item: the
 * values of the form are then sent as they are, and the service says what is missing.
 */
function isKnownByForm({ automatic, schema }: Mapped, item: Item, templateId: string): boolean {
	if (schema.length === 0) return !automatic;
	// They differ when another template was chosen and the editor has not read its fields, which it
	// leaves out while an expression of the form has no data.
	if (schema.every((field) => field.templateId === templateId)) return true;
	if (automatic) return false;
	const { raw } = item.given(templateLocator.property);
	return typeof raw === 'string' && raw.startsWith('=');
}

/** @param known the roles of the template, where it was read */
function personOfEachRole(
	{ automatic, values, schema }: Mapped,
	known: readonly string[] | undefined,
	{ problems, timezone }: Item,
): IDataObject[] {
	const mapped = automatic ? [] : namesIn(values);
	const roles = known ?? rolesIn([...schema.map(({ id }) => id), ...mapped]);
	for (const column of known ? mapped : []) {
		if (isNothing(partOf(values, column).value) || roles.includes(rolesIn([column])[0] ?? ''))
			continue;
		problems.add(
			`${people.label} > ${column}`,
			'the template that is chosen now has no such role',
			'Close and open the node to see its roles, and fill them in',
		);
	}
	const persons = roles.map((role) => {
		const person: IDataObject = { role };
		for (const detail of PERSON) {
			const column = columnOf(role, detail.name);
			const refuse = problems.at(`${people.label} > ${column}`);
			const given = automatic ? columnIn(values, column) : partOf(values, column);
			if (given) person[detail.name] = detail.check(given, refuse, timezone);
			else if (detail.required)
				refuse(`the input item has no field "${column}"`, 'Rename a field, or map each recipient');
		}
		return person;
	});
	checkRecipients(persons, people.label, problems, roles);
	return persons;
}

/** The roles that the columns belong to, each once. */
function rolesIn(columns: readonly string[]): string[] {
	return [...new Set(columns.flatMap((column) => COLUMN.exec(column)?.[1] ?? []))];
}

/**
 * The field of an item that is called like the column, be it `Client email`, `client_email` or
 * `clientEmail`.
 */
function columnIn(item: ParameterValue, column: string): ParameterValue | undefined {
	const names = namesIn(item);
	const name =
		names.find((one) => one === column) ?? names.find((one) => bare(one) === bare(column));
	return name === undefined ? undefined : partOf(item, name);
}

const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
