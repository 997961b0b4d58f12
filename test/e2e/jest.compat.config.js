const e2e = require('./jest.config.js');

// The n8n of the whole run; read by test/support/n8nServer/installation.ts.
process.env.N8N_ESIGN_LINE ??= 'v1';

/** What must work on the last 1.x line of n8n too, with its Node: what the compatibility table of README.md reports. */
/** @type {import('jest').Config} */
module.exports = {
	...e2e,
	testPathIgnorePatterns: ['/node_modules/'],
	testMatch: [
		'package',
		'operations',
		'sentOnce',
		'sending/killed',
		'listening',
		'upgrade',
		'postgresql',
		'trigger/restarts',
		'trigger/deliveries',
		'wait/waiting',
	].map((name) => `<rootDir>/test/e2e/${name}.test.ts`),
};
