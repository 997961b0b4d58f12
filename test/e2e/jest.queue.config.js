const e2e = require('./jest.config.js');

/** n8n in queue mode, with its own Redis and PostgreSQL: six processes, which want a machine to themselves. */
/** @type {import('jest').Config} */
module.exports = {
	...e2e,
	testMatch: ['**/queueMode.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
	maxWorkers: 1,
};
