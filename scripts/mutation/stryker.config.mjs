const { MUTATION_FILE: file = '' } = process.env;

/** For one file of files.mjs; run.mjs says which. */
export default {
	mutate: [file],
	testRunner: 'jest',
	plugins: ['@stryker-mutator/jest-runner'],
	coverageAnalysis: 'perTest',
	jest: {
		projectType: 'custom',
		configFile: 'scripts/mutation/jest.config.js',
		enableFindRelatedTests: false,
	},
	incremental: true,
	incrementalFile: `node_modules/.cache/mutation/${file.replaceAll('/', '.')}.json`,
	reporters: ['clear-text'],
	clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
	thresholds: { high: 95, low: 80, break: 80 },
	tempDirName: '.stryker-tmp',
};
