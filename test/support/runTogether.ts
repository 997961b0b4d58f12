import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { client } from '../../nodes/ESign/client';
import { defaultSettings } from '../../nodes/ESign/client/settings';

const TESTS = join(__dirname, '..');

/** The test files of a folder and of those in it, or the file itself; end-to-end tests left out. */
function testFilesIn(path: string): string[] {
	const full = join(TESTS, path);
	if (!statSync(full).isDirectory()) return [path];
	return readdirSync(full)
		.sort()
		.filter((name) => name !== 'e2e' && name !== 'support' && name !== 'fixtures')
		.map((name) => join(path, name))
		.filter((inside) => inside.endsWith('.test.ts') || statSync(join(TESTS, inside)).isDirectory())
		.flatMap(testFilesIn);
}

/**
 * Makes one test file of Jest out of many. Jest loads packages anew for each test file, and n8n-core
 * with the sandbox's server are 2,500 modules: more work than most of the tests.
 *
 * @param paths folders or test files, relative to `test/`
 * @param others what of them runs elsewhere
 */
export function runTogether(paths: string[], others: string[] = []): void {
	const elsewhere = new Set(others.flatMap(testFilesIn));
	for (const file of paths.flatMap(testFilesIn)) {
		if (elsewhere.has(file)) continue;
		// Hooks and names of a file stay its own.
		describe(file, () => {
			jest.requireActual(join(TESTS, file));

			afterAll(() => {
				Object.assign(client.settings, defaultSettings);
				jest.useRealTimers();
				jest.restoreAllMocks();
			});
		});
	}
}
