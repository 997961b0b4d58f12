import type { IDataObject } from 'n8n-workflow';
import { addressOf, readAs } from './sameText';

type Person = { name?: unknown; email?: unknown; role?: unknown };

/** The people that a request body names. */
export function recipientsIn(body: IDataObject): Array<Person & IDataObject> {
	const recipients: unknown = body.recipients;
	if (!Array.isArray(recipients)) return [];
	return (recipients as IDataObject[]).map(({ name, email, role }) => ({ name, email, role }));
}

/** What the lists that `sameRecipients` takes for the same have in common. */
export function recipientsKey(people: readonly Person[]): string {
	return JSON.stringify(people.map(spelt).sort());
}

/** The same people in any order; e-mail addresses and roles without regard to upper and lower case. */
export function sameRecipients(some: readonly Person[], others: readonly Person[]): boolean {
	return sameInAnyOrder(some.map(spelt), others.map(spelt));
}

/** The same e-mail addresses in any order, without regard to upper and lower case. */
export function sameAddresses(some: readonly Person[], others: readonly Person[]): boolean {
	return sameInAnyOrder(some.map(address), others.map(address));
}

function sameInAnyOrder(some: string[], others: string[]): boolean {
	const one = some.sort();
	const other = others.sort();
	return one.length === other.length && one.every((person, index) => person === other[index]);
}

function spelt({ name, email, role }: Person): string {
	return JSON.stringify([readAs(name), addressOf(email), readAs(role).toLowerCase()]);
}

function address({ email }: Person): string {
	return addressOf(email);
}
