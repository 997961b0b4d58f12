import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PAGE, scriptPaths } from './scripts';

const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
const listed = (folder: string) =>
	readdirSync(join(PAGE, folder)).map((name) => `${folder}/${name}`);
const scripts = [...listed('scripts/fields'), ...listed('scripts/page')];
const own = [...scripts, ...listed('styles')].map((path) => [
	path,
	readFileSync(join(PAGE, path), 'utf8'),
]);

describe('The page to place fields', () => {
	it('ships pdf.js exactly as the locked pdfjs-dist gives it', () => {
		const check = spawnSync(process.execPath, [join(PAGE, 'vendor/build.mjs'), '--check'], {
			encoding: 'utf8',
		});
		expect(check.stderr).toBe('');
		expect(check.status).toBe(0);
	});

	it('ships the licences of what is not ours', () => {
		expect(readFileSync(join(PAGE, 'vendor/LICENSE'), 'utf8')).toContain('Apache License');
		expect(readFileSync(join(PAGE, 'vendor/LICENSE_OPENJPEG'), 'utf8')).toContain('Redistribution');
	});

	it('stays small enough to be opened from disk', () => {
		const size = listed('vendor').reduce((sum, path) => sum + statSync(join(PAGE, path)).size, 0);
		expect(size).toBeLessThan(2e6);
	});

	it('loads every script and every style sheet that there is', () => {
		expect(
			scriptPaths()
				.filter((path) => path.startsWith('scripts/'))
				.sort(),
		).toEqual([...scripts].sort());
		const styles = [...html.matchAll(/rel="stylesheet" href="([^"]+)"/g)].map(([, path]) => path);
		expect(styles.sort()).toEqual(listed('styles').sort());
	});

	it('has no script in the page, no handler in an attribute and no address of another place', () => {
		expect(html).not.toMatch(/<script(?![^>]*src=)/);
		expect(html).not.toMatch(/\s(on\w+|style)=/);
		expect(html).not.toMatch(/(src|href|action)="(?!data:,")[^"]*:/);
	});

	it.each(own)('takes no text for markup and asks nobody for anything: %s', (_path, text) => {
		expect(text).not.toMatch(
			/innerHTML|outerHTML|insertAdjacentHTML|document\.write|fetch\(['"`]|XMLHttpRequest|sendBeacon|WebSocket|EventSource|import\(|\beval\b|new Function|https?:/,
		);
	});
});
