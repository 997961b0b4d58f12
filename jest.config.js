/** ESM-only packages that Jest's CommonJS runtime can load only once they are compiled. */
const esmOnly = [
	'file-type',
	'strtok3',
	'token-types',
	'uint8array-extras',
	'@tokenizer',
	'@borewit',
];

// For the workers: glibc keeps much of what threads have freed.
process.env.MALLOC_ARENA_MAX ??= '2';

/** @type {import('jest').Config} */
module.exports = {
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	transform: {
		'\\.[jt]s$': [
			'@swc/jest',
			{ jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
		],
	},
	// import() names the compiled file, as Node wants it; in the tests that is still the TypeScript beside it.
	moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
	transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
	globalSetup: '<rootDir>/test/support/n8nCore/n8nFolder.ts',
	globalTeardown: '<rootDir>/test/support/n8nCore/removeN8nFolder.ts',
	// What failed, and a summary: nothing of what passed. And whether the sandbox gave every answer.
	reporters: [
		['summary', { summaryThreshold: 0 }],
		'<rootDir>/test/sandbox/support/everyAnswer.mjs',
		'<rootDir>/test/support/seed.mjs',
	],
	// Jest leaves a core free, which of two is half the machine.
	maxWorkers: '100%',
	// For what hangs. A test that is only slow, as with a cold cache on a busy machine, is let be.
	testTimeout: process.env.NIGHTLY ? 3_600_000 : 300_000,
};
