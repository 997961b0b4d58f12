const base = require('../jest.config.js');

const NODES = '^(?:\\.\\./)+nodes/ESign';
const BUILT = '<rootDir>/dist/nodes/ESign';

/** The random schedules, on the nodes as they are published: `npm run build` first. What else they import is data. */
/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: ['**/sending/{schedules,approvals}.test.ts'],
	moduleNameMapper: {
		[`${NODES}/ESign\\.node(?:\\.js)?$`]: `${BUILT}/ESign.node.js`,
		[`${NODES}/client(?:/index\\.js)?$`]: `${BUILT}/shared.js`,
		...base.moduleNameMapper,
	},
};
