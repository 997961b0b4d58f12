/** The smallest PNG: one transparent pixel. */
export const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

/** Who takes the roles of the template "Mutual NDA". */
export const ROLES = [
	{ role: 'Client', name: 'Ada', email: 'ada@example.com' },
	{ role: 'company', name: 'Ben', email: 'Ben@example.com' },
];
