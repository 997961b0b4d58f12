import { median } from '../support/statistics';
import type { Balance } from './books/balance';
import type { Waits } from './books/waits';
import type { HealthSample } from './setting/health';

/** Rows of text under a heading, the columns as wide as need be. */
export function table(heading: string, rows: ReadonlyArray<readonly string[]>): string {
	const widths: number[] = [];
	for (const row of rows)
		row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
	const lines = rows.map((row) =>
		row
			.map((cell, column) => cell.padEnd(widths[column] ?? 0))
			.join('  ')
			.trimEnd(),
	);
	return ['', heading, '-'.repeat(heading.length), ...lines].join('\n');
}

/** Counts by name, the most frequent first. */
export function counts(heading: string, by: Iterable<readonly [string, number]>): string {
	const sorted = [...by].sort(([, one], [, other]) => other - one);
	return table(
		heading,
		sorted.map(([name, count]) => [String(count).padStart(6), name]),
	);
}

/** The books, with what is wrong below each line. */
export function books(balances: readonly Balance[]): string {
	const rows = balances.map(({ what, service, n8n, wrong }) => [
		what,
		service,
		n8n,
		wrong.length === 0 ? 'balanced' : `${wrong.length} NOT BALANCED`,
	]);
	const wrong = balances.flatMap((balance) =>
		balance.wrong.map((line) => `  ! ${balance.what}: ${line}`),
	);
	return [table('Books', rows), ...wrong].join('\n');
}

export function waits(all: readonly Waits[]): string {
	const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7);
	const rows = all.map(({ workflow, count, p50, p95, longest }) => [
		workflow,
		String(count).padStart(6),
		...[p50, p95, longest].map(seconds),
	]);
	return table('How long successful executions took, in seconds', [
		['', ' count', '    p50', '    p95', 'longest'],
		...rows,
	]);
}

/** What a run of n8n looked like at its beginning and at its end. */
export interface Growth {
	minutes: number;
	memory: [number, number];
	handles: [number, number];
	sockets: [number, number];
}

/**
 * The first and last fifth of these samples compared, by their medians.
 *
 * @returns undefined if there are too few of them
 */
export function growthIn(samples: readonly HealthSample[]): Growth | undefined {
	const share = Math.floor(samples.length / 5);
	const [first, last] = [samples[0], samples.at(-1)];
	if (share === 0 || !first || !last) return undefined;
	const ends = (read: (sample: HealthSample) => number): [number, number] => [
		median(samples.slice(0, share).map(read)),
		median(samples.slice(-share).map(read)),
	];
	return {
		minutes: (last.at - first.at) / 60_000,
		memory: ends(({ memory }) => memory),
		handles: ends(({ handles }) => handles),
		sockets: ends(({ sockets }) => sockets),
	};
}

export function growth(of: Growth | undefined): string {
	if (!of)
		return table('n8n itself', [['not measured: n8n ran too short, or this system has no /proc']]);
	const line = (name: string, [from, to]: [number, number], unit: number, digits: number) => [
		name,
		(from / unit).toFixed(digits).padStart(8),
		(to / unit).toFixed(digits).padStart(8),
		`x ${(to / from).toFixed(2)}`,
	];
	return table(
		`n8n itself, over ${of.minutes.toFixed(1)} minutes without a restart, after the warm-up`,
		[
			['', '   first', '    last', 'growth'],
			line('memory [MB]', of.memory, 1024 * 1024, 0),
			line('open handles', of.handles, 1, 0),
			line('of these sockets', of.sockets, 1, 0),
		],
	);
}
