/**
 * Keeps what was answered on the wire while the tests ran: one line per endpoint, status and code. everyAnswer.mjs, a
 * reporter of Jest, compares it with the description when all files of test/sandbox/ have run.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codesOf, type Description, type Operation } from './servedDescription';

/** Made by the reporter; absent when Jest runs without it. */
const FOLDER = process.env.SANDBOX_ANSWERS;

const seen = new Set<string>();

/** The code without the detail after its colon. */
function codeOf(answer: unknown): string {
	const code = (answer as { error?: { code?: unknown } } | undefined)?.error?.code;
	return typeof code === 'string' ? (code.split(':')[0] ?? '') : '';
}

export function recordAnswer({ name }: Operation, status: number, answer: unknown): void {
	const line = [name, status, codeOf(answer)].join(' ').trim();
	if (!FOLDER || seen.has(line)) return;
	seen.add(line);
	appendFileSync(path.join(FOLDER, `answered.${process.pid}`), `${line}\n`);
}

/** Writes down everything that may be answered. */
export function recordDescription(description: Description): void {
	if (!FOLDER) return;
	const lines = description.operations.flatMap((operation) => [
		...operation.statuses.filter((status) => status < 400).map((status) => `${operation.name} ${status}`),
		...codesOf(operation).map(([status, code]) => `${operation.name} ${status} ${code}`),
	]);
	writeFileSync(path.join(FOLDER, 'described'), lines.join('\n'));
}
