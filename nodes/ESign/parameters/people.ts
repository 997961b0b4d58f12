import type { IDataObject } from 'n8n-workflow';
import { LENGTH, MOST_RECIPIENTS } from '../service/limits';
import type { Problems } from './checks/problems';
import { EMAIL } from './checks/rules';
import { text } from './declare';

/** What every list of people asks for. A person of a template has a limit of its own (docs/service.md sections 2 and 4). */
export const name = text('name', 'Name', {
	max: LENGTH.name,
	required: true,
	placeholder: 'e.g. Ada Lovelace',
	description: 'The full name, as it appears in the document and its certificate',
});

export const nameInTemplate = name.with({ max: LENGTH.templateName });

export const email = text('email', 'Email', {
	max: LENGTH.email,
	required: true,
	pattern: EMAIL,
	form: 'a valid e-mail address',
	placeholder: 'name@email.com',
	description: 'The address that gets the request to sign. Each recipient needs an address of their own.',
});

export const phone = text('phone', 'Phone', {
	max: LENGTH.phone,
	mayBeNothing: true,
	placeholder: 'e.g. +44 20 7946 0000',
	description: 'The telephone number, up to 32 characters',
});

/**
 * One to ten recipients (docs/service.md section 8), and no address twice, whatever its case.
 *
 * @param roles the role of each, where the form names them by it
 */
export function checkRecipients(
	recipients: readonly IDataObject[],
	label: string,
	problems: Problems,
	roles: readonly string[] = [],
): void {
	if (recipients.length === 0) problems.add(label, 'is empty', 'Add at least one recipient');
	if (recipients.length > MOST_RECIPIENTS) {
		const what = `has ${recipients.length} entries`;
		problems.add(label, what, `Use ${MOST_RECIPIENTS} at most, signers and cc combined`);
	}
	for (const { index, first, value } of repetitions(recipients, 'email')) {
		const parameter =
			roles[index] === undefined ? `${label} > ${index + 1} > Email` : `${label} > ${roles[index]} email`;
		const what = `"${value}" is already used by ${roles[first] ?? `recipient ${first + 1}`}`;
		problems.add(parameter, what, 'Give every recipient an address of their own');
	}
}

/** The entries whose text under `name` an earlier one has too, without regard to case. */
export function repetitions(
	entries: readonly IDataObject[],
	name: string,
): Array<{ index: number; first: number; value: string }> {
	const firstWith = new Map<string, number>();
	return entries.flatMap(({ [name]: value }, index) => {
		if (typeof value !== 'string') return [];
		const first = firstWith.get(value.toLowerCase());
		if (first !== undefined) return [{ index, first, value }];
		firstWith.set(value.toLowerCase(), index);
		return [];
	});
}
