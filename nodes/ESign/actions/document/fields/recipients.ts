import { withoutInvisibleEnds, type Refuse } from '../../../operation/parameters';

/**
 * Someone whom a field can name. `type` is unknown for recipients read back: the service does not
 * return it.
 */
export type NamedRecipient = {
	name?: string;
	email: string;
	type?: 'signer' | 'cc';
};

/**
 * The place in the list, by email, by name or by position. One who is not there, or is a cc, is a
 * problem.
 */
export function placeOf(
	name: string,
	recipients: readonly NamedRecipient[],
	refuse: Refuse,
): number | undefined {
	const spelt = (text = '') => withoutInvisibleEnds(text).toLowerCase();
	const byEmail = placeAmong(
		recipients.map(({ email }) => spelt(email)),
		spelt(name),
	);
	const names = recipients.map((recipient) => spelt(recipient.name));
	const place = byEmail < 0 ? placeAmong(names, spelt(name)) : byEmail;
	const recipient = recipients[place];
	if (!recipient) return refuse(`"${name}" is not one of the recipients`, useOneOf(recipients));
	if (recipient.type === 'cc') {
		refuse(
			`"${name}" is a cc, who only receives the finished document`,
			'Choose a signer, or change the type of this recipient to signer',
		);
	}
	return place;
}

/** What to do where a name is not one of theirs. */
export function useOneOf(recipients: readonly NamedRecipient[]): string {
	const emails = recipients.map(({ email }, index) => `${index + 1} (${email ?? 'no email'})`);
	return `Use the email or the position of one: ${emails.join(', ')}`;
}

/** By position, or spelt as one alone is; elsewhere if there is none. */
export function placeAmong(spellings: readonly string[], wanted: string): number {
	if (/^\d+$/.test(wanted)) return Number(wanted) - 1;
	const place = spellings.indexOf(wanted);
	return place === spellings.lastIndexOf(wanted) ? place : -1;
}
