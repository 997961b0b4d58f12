/**
 * Jest's runtime, but packages are loaded by Node, once for all test files of a worker: n8n-core and the sandbox's server alone
 * are 2,500 modules, more work than most of the tests. Our own files are loaded anew for each test file, as always.
 */
const { createRequire, isBuiltin } = require('node:module');
const { default: Runtime } = require('jest-runtime');

module.exports = class SharedPackages extends Runtime {
	requireModuleOrMock(from, name) {
		return this.#isShared(from, name)
			? createRequire(from)(name)
			: super.requireModuleOrMock(from, name);
	}

	/** Packages, but for those that Jest has to compile because they are ES modules. */
	#isShared(from, name) {
		if (/^[./]/.test(name) || isBuiltin(name) || name === '@jest/globals') return false;
		const file = createRequire(from).resolve(name);
		return this._config.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test(file));
	}
};
