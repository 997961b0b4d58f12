import type { IDataObject } from 'n8n-workflow';

type Person = { name?: unknown; email?: unknown; role?: unknown };

/** The people that a request body names. */
export function recipientsIn(body: IDataObject): Array<Person & IDataObject> {
	const recipients: unknown = body.recipients;
	if (!Array.isArray(recipients)) return [];
	return (recipients as IDataObject[]).map(({ name, email, role }) => ({ name, email, role }));
}

/** The same people in any order; e-mail addresses and roles without regard to upper and lower case. */
export function sameRecipients(some: Person[], others: Person[]): boolean {
	const one = some.map(spelt).sort();
	const other = others.map(spelt).sort();
	return one.length === other.length && one.every((person, index) => person === other[index]);
}

function spelt({ name, email, role }: Person): string {
	return JSON.stringify([text(name), text(email).toLowerCase(), text(role).toLowerCase()]);
}

function text(value: unknown): string {
	return typeof value === 'string' ? value.trim() : '';
}
