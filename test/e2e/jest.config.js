const base = require('../../jest.config.js');

const NIGHTLY = process.env.NIGHTLY === '1';

/**
 * Only at night: much at once, what stands still for minutes, another database, an upgrade, and
 * the pages that have nothing to do with n8n.
 */
const AT_NIGHT = [
	'placeFields/accessible',
	'placeFields/drawing',
	'placeFields/hostile',
	'placeFields/using',
	'sandbox/accessibility',
	'trigger/burst',
	'trigger/pressure',
	'trigger/stalls',
	'trigger/standsStill',
	'postgresql',
	'upgrade',
].map((name) => `test/e2e/${name}.test.ts`);

/** The suite that needs more than Node and npm, a real n8n server or a browser: slow, two files at a time. */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/e2e'],
	globalSetup: '<rootDir>/test/e2e/support/setUp.ts',
	globalTeardown: '<rootDir>/test/e2e/support/tearDown.ts',
	// Run by jest.queue.config.js.
	testPathIgnorePatterns: ['/node_modules/', 'queueMode.test.ts', ...(NIGHTLY ? [] : AT_NIGHT)],
	// Each file takes up to minutes: they are named as they pass.
	reporters: ['default'],
	// Much of the time each waits: for n8n to start, for the service to try again, for a database that stands still.
	maxWorkers: 2,
	testTimeout: 180_000,
};
