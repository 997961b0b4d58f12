import type { IDataObject } from 'n8n-workflow';
import { EMBED_LINK_SECONDS, MAX_LENGTH, MAX_RECIPIENTS } from '../../service/limits';
import type { Problems } from './checks/problems';
import { EMAIL, HTTPS_URI } from './checks/text';
import { integer, notice, number, text } from './declare';

/** What a document is called; its default differs by what it is made of. */
export const title = text('title', 'Title', {
	max: MAX_LENGTH.title,
	description: 'The name of the document that recipients see, up to 160 characters',
});

/** Said by every operation that sends a document out. */
export const sendNotice = notice(
	'sendNotice',
	'The document goes out immediately. A live API key emails people and is billed; a test key does neither.',
);

/** What it does: sending/skipIfCreated.ts. */
export const skipIfCreatedWithin = number('skipIfCreatedWithin', 'Skip If Created Within (Hours)', {
	min: 0.01,
	default: 24,
	description:
		'If a document with the same title and emails was created within this many hours, it is returned (already_existed: true), and nothing is created or sent. Takes one request per hundred documents.',
});

/** What an embed link may be given (docs/service.md section 4). */
export const embedOptions = [
	integer('expiresIn', 'Expires In', {
		...EMBED_LINK_SECONDS,
		default: 900,
		hint: 'In seconds',
		description: 'How many seconds the link lasts, from 60 to 3,600',
	}),
	text('redirectUrl', 'Redirect URL', {
		max: MAX_LENGTH.embedRedirectUrl,
		mayBeNothing: true,
		pattern: HTTPS_URI,
		form: 'an address that starts with https://',
		placeholder: 'e.g. https://app.example.com/signed',
		description: 'Where to redirect the signer after signing. It must start with https.',
	}),
] as const;

/**
 * What every list of people asks for. A person of a template has a limit of its own
 * (docs/service.md sections 2 and 4).
 */
export const name = text('name', 'Name', {
	max: MAX_LENGTH.name,
	required: true,
	placeholder: 'e.g. Ada Lovelace',
	description: 'The full name, as it appears in the document and its certificate',
});

export const nameInTemplate = name.with({ max: MAX_LENGTH.templateName });

export const email = text('email', 'Email', {
	max: MAX_LENGTH.email,
	required: true,
	pattern: EMAIL,
	form: 'a valid email address',
	placeholder: 'name@email.com',
	description:
		'The address that gets the request to sign. Each recipient needs an address of their own.',
});

export const phone = text('phone', 'Phone', {
	max: MAX_LENGTH.phone,
	mayBeNothing: true,
	placeholder: 'e.g. +44 20 7946 0000',
	description: 'The telephone number, up to 32 characters',
});

/** @param roles the role of each, where the form names them by it */
export function checkRecipients(
	recipients: readonly IDataObject[],
	label: string,
	problems: Problems,
	roles: readonly string[] = [],
): void {
	if (recipients.length === 0) problems.add(label, 'is empty', 'Add at least one recipient');
	if (recipients.length > MAX_RECIPIENTS) {
		problems.add(
			label,
			`has ${recipients.length} entries`,
			`Use ${MAX_RECIPIENTS} at most, signers and cc combined`,
		);
	}
	for (const { index, first, value } of repetitions(recipients, 'email')) {
		const parameter =
			roles[index] === undefined
				? `${label} > ${index + 1} > Email`
				: `${label} > ${roles[index]} email`;
		problems.add(
			parameter,
			`"${value}" is already used by ${roles[first] ?? `recipient ${first + 1}`}`,
			'Give every recipient an address of their own',
		);
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
