import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { holds, type BenchResult } from './figure';
import { renderResult } from './table';

/** `bench/results/`, which git ignores. */
const FOLDER = join(__dirname, '..', 'results');

export interface Run {
	startedAt: Date;
	quick: boolean;
	results: Record<string, BenchResult>;
}

/**
 * What the figures were measured on: they are ratios because it differs from machine to machine.
 */
export function machine(): string {
	const [cpu] = cpus();
	return `Node ${process.version}, ${process.platform} ${process.arch}, ${cpus().length} x ${cpu?.model ?? 'unknown CPU'}`;
}

/**
 * Writes the run as a table and as JSON, under its time and as `latest`.
 *
 * @returns the paths of the two `latest` files
 */
export async function writeResults(run: Run): Promise<string[]> {
	await mkdir(FOLDER, { recursive: true });
	const stamp = run.startedAt.toISOString().replace(/[:.]/g, '-');
	const json = `${JSON.stringify(machineReadable(run), undefined, 2)}\n`;
	const text = `${heading(run)}\n\n${Object.values(run.results).map(renderResult).join('\n\n')}\n`;
	const paths: string[] = [];
	for (const [extension, content] of Object.entries({ txt: text, json })) {
		await writeFile(join(FOLDER, `${stamp}.${extension}`), content);
		const latest = join(FOLDER, `latest.${extension}`);
		await writeFile(latest, content);
		paths.push(latest);
	}
	return paths;
}

/** One line that says when, on what, and how thoroughly. */
export function heading(run: Run): string {
	const thoroughness = run.quick
		? 'quick (few repeats: read nothing into small differences)'
		: 'medians over repeats';
	return `${run.startedAt.toISOString()}, ${machine()}, ${thoroughness}`;
}

function machineReadable(run: Run) {
	const benches = Object.entries(run.results).map(([name, result]) => ({
		name,
		...result,
		figures: result.figures.map((figure) => ({ ...figure, holds: holds(result, figure) ?? null })),
	}));
	return { startedAt: run.startedAt.toISOString(), machine: machine(), quick: run.quick, benches };
}
