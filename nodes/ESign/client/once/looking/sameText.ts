/** Characters of no width, and those that only direct others. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/** A text as a person reads it: nobody promises that the service keeps how an accent or a space is encoded. */
export function readAs(text: unknown): string {
	return typeof text === 'string' ? text.normalize('NFC').replace(UNSEEN, '').replace(/\s+/gu, ' ').trim() : '';
}

/** An email address without regard to case. Nothing else is taken for another spelling of it: it may be another person's. */
export function addressOf(email: unknown): string {
	return typeof email === 'string' ? email.normalize('NFC').trim().toLowerCase() : '';
}

type Person = { name?: unknown; email?: unknown; role?: unknown };

/** Stands for people in any order; email addresses and roles without regard to upper and lower case. */
export function peopleKey(people: unknown): string {
	const listed = Array.isArray(people) ? (people as Person[]) : [];
	const spelt = listed.map(({ name, email, role }) => [readAs(name), addressOf(email), readAs(role).toLowerCase()]);
	return JSON.stringify(spelt.map((one) => JSON.stringify(one)).sort());
}
