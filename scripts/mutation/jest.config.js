const base = require('../../jest.config.js');

/** Only the test files that are to tell a mutant from the code: run.mjs names them. */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	testMatch: (process.env.MUTATION_TESTS ?? '').split(',').map((file) => `<rootDir>/${file}`),
	reporters: [],
	maxWorkers: 1,
};
