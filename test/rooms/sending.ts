import { runTogether } from '../support/runTogether';

runTogether(
	['sending'],
	[
		'sending/approvals.test.ts',
		'sending/killedTries.test.ts',
		'sending/schedules.test.ts',
		'sending/skipIfCreated',
		'sending/twoRetries.test.ts',
	],
);
