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
	const place = /^\d+$/.test(name) ? Number(name) - 1 : placeByText(name, recipients);
	const recipient = recipients[place];
	if (!recipient) return refuse(`"${name}" is not one of the recipients`, useOneOf(recipients));
	if (recipient.type === 'cc') {
		const what = `"${name}" is a cc, who only receives the finished document`;
		const remedy = 'Choose a signer, or change the type of this recipient to signer';
		refuse(what, remedy);
	}
	return place;
}

/** What to do where a name is not one of theirs. */
export function useOneOf(recipients: readonly NamedRecipient[]): string {
	const emails = recipients.map(({ email }, index) => `${index + 1} (${email ?? 'no email'})`);
	return `Use the email or the position of one: ${emails.join(', ')}`;
}

/** By email, which no two share; else by name, where only one bears it. */
function placeByText(text: string, recipients: readonly NamedRecipient[]): number {
	const spelt = (name = '') => withoutInvisibleEnds(name).toLowerCase();
	const wanted = spelt(text);
	const emails = recipients.map(({ email }) => spelt(email));
	if (emails.includes(wanted)) return emails.indexOf(wanted);
	const names = recipients.map(({ name }) => spelt(name));
	const isShared = names.indexOf(wanted) !== names.lastIndexOf(wanted);
	return isShared ? -1 : names.indexOf(wanted);
}
