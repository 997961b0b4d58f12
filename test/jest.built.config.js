const base = require('../jest.config.js');

/** The random schedules, on the nodes as they are published: `npm run build` first. What else they import is data. */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: ['**/sending/{schedules,approvals}.test.ts'],
	moduleNameMapper: {
		'^(?:\\.\\./)+nodes/ESign/(.*?)(?:\\.js)?$': '<rootDir>/dist/nodes/ESign/$1',
		...base.moduleNameMapper,
	},
};
