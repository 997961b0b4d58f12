import { number } from './parameters';

/** What it does: sending/skipIfCreated.ts. */
export const skipIfCreatedWithin = number('skipIfCreatedWithin', 'Skip If Created Within (Hours)', {
	min: 0.01,
	default: 24,
	description:
		'Look first for a document with the same title and the same email addresses, created within this many hours. If there is one, it is returned with already_existed: true, and nothing is created or sent. Set it if a run that was cut off may be started again. The check takes one request per hundred documents created in that period, once per run.',
});
