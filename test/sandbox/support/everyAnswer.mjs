/**
 * A reporter of Jest: fails the run when the sandbox never gave an answer that its description promises, and names it.
 * It looks only when every test file of test/sandbox/ has run in full.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const SANDBOX = path.join(import.meta.dirname, '..');

function linesOf(folder, name) {
	return readFileSync(path.join(folder, name), 'utf8').split('\n').filter(Boolean);
}

export default class EveryAnswer {
	constructor(globalConfig) {
		this.filtered = Boolean(globalConfig.testNamePattern);
		this.folder = mkdtempSync(path.join(os.tmpdir(), 'sandbox-answers-'));
		// Read by answers.ts, in the processes that run the tests.
		process.env.SANDBOX_ANSWERS = this.folder;
	}

	onRunComplete(_contexts, { testResults, numFailedTests, numRuntimeErrorTestSuites }) {
		// A test file runs by itself, or is the outermost title in one of test/rooms/.
		const ran = new Set(
			testResults.flatMap(({ testFilePath, testResults: tests }) => [
				testFilePath,
				...tests.map(({ ancestorTitles: [file] }) => path.join(SANDBOX, '..', file ?? '')),
			]),
		);
		const files = readdirSync(SANDBOX).filter((name) => name.endsWith('.test.ts'));
		const all = files.every((name) => ran.has(path.join(SANDBOX, name)));
		const sound = numFailedTests === 0 && numRuntimeErrorTestSuites === 0;
		if (all && sound && !this.filtered) this.compare();
		rmSync(this.folder, { recursive: true, force: true });
	}

	compare() {
		const described = existsSync(path.join(this.folder, 'described'))
			? linesOf(this.folder, 'described')
			: [];
		const names = readdirSync(this.folder).filter((name) => name.startsWith('answered.'));
		const answered = new Set(names.flatMap((name) => linesOf(this.folder, name)));
		const missing = described.filter((line) => !answered.has(line));
		if (described.length > 0 && missing.length === 0) return;
		this.error = new Error(
			described.length === 0
				? 'No test of the sandbox read its description.'
				: `No test of the sandbox got these ${missing.length} answers, which its description promises:\n  ${missing.join('\n  ')}`,
		);
		process.stderr.write(`\n${this.error.message}\n`);
	}

	getLastError() {
		return this.error;
	}
}
