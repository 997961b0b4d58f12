import type { IDataObject } from 'n8n-workflow';
import { addressOf, readAs } from './sameText';

type Person = { name?: unknown; email?: unknown; role?: unknown };

/** The people that a request body names. */
export function recipientsIn({ recipients }: IDataObject): Person[] {
	if (!Array.isArray(recipients)) return [];
	return (recipients as IDataObject[]).map(({ name, email, role }) => ({ name, email, role }));
}

/** What the lists that `sameRecipients` takes for the same have in common. */
export function recipientsKey(people: readonly Person[]): string {
	const spelt = people.map(({ name, email, role }) => [readAs(name), addressOf(email), readAs(role).toLowerCase()]);
	return JSON.stringify(spelt.map((one) => JSON.stringify(one)).sort());
}

/** The same people in any order; e-mail addresses and roles without regard to upper and lower case. */
export function sameRecipients(some: readonly Person[], others: readonly Person[]): boolean {
	return recipientsKey(some) === recipientsKey(others);
}
