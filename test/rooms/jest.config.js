const base = require('../../jest.config.js');

/**
 * What `npm test` runs: all test files, a few at a time as one (support/runTogether.ts). For a single
 * test file: `npx jest FILE`.
 */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	testMatch: ['<rootDir>/test/rooms/*.ts'],
};
