/**
 * A test environment of Jest in the worker's own realm, for sharedPackages.cjs: without a vm context of its own, a test file
 * can use packages that are loaded once. What a file leaves behind in the process is put back after it.
 */
const vm = require('node:vm');
const { ModernFakeTimers, LegacyFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Stands for the context that Jest asks for: code compiled for it runs in the worker's own. */
const OWN_REALM = {};

const compileFunction = vm.compileFunction;
vm.compileFunction = (code, parameters, options) =>
	compileFunction(
		code,
		parameters,
		options?.parsingContext === OWN_REALM ? { ...options, parsingContext: undefined } : options,
	);

const N8N_CORE = 'n8n-core/dist/execution-engine';

const events = [
	'exit',
	'beforeExit',
	'uncaughtException',
	'unhandledRejection',
	'warning',
	'SIGINT',
	'SIGTERM',
];

/** What Jest and the tests change in the process; answers what puts it back. */
function keepProcess() {
	const { console } = globalThis;
	const { exit, getBuiltinModule } = process;
	const env = { ...process.env };
	const listeners = new Map(events.map((event) => [event, new Set(process.listeners(event))]));
	const symbols = new Set(Object.getOwnPropertySymbols(globalThis));
	return () => {
		Object.assign(globalThis, { console });
		Object.assign(process, { exit, ...(getBuiltinModule && { getBuiltinModule }) });
		for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
		Object.assign(process.env, env);
		for (const [event, known] of listeners) {
			for (const listener of process.listeners(event)) {
				if (!known.has(listener)) process.off(event, listener);
			}
		}
		// The whole tree of tests hangs on one of them: Jest's own realm would have gone with it.
		for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
			if (!symbols.has(symbol) && /JEST_STATE|EVENT_HANDLERS/.test(String(symbol)))
				delete globalThis[symbol];
		}
	};
}

/** n8n-core keeps its services, such as the store of binary data and its mode, for the whole process: the next file gets new ones. */
function resetN8n() {
	const { Container } = require.cache[require.resolve('@n8n/di')]?.exports ?? {};
	const ssh = require.cache[require.resolve(`${N8N_CORE}/ssh-clients-manager`)]?.exports;
	// Each has an interval and would keep what the test file held.
	if (ssh) Container.get(ssh.SSHClientsManager).onShutdown();
	Container?.reset();
}

module.exports = class SharedEnvironment {
	global = globalThis;

	moduleMocker = new ModuleMocker(globalThis);

	#putBack = keepProcess();

	constructor({ projectConfig: config }) {
		const { global, moduleMocker } = this;
		const timerConfig = { idToRef: (id) => id, refToId: (timer) => timer };
		this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker, timerConfig });
		this.fakeTimersModern = new ModernFakeTimers({ config, global });
	}

	async setup() {}

	async teardown() {
		this.fakeTimers.dispose();
		this.fakeTimersModern.dispose();
		resetN8n();
		this.#putBack();
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return OWN_REALM;
	}
};
