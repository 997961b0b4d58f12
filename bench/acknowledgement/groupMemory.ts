import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Resident memory of all processes of a group, in bytes. */
async function residentBytes(groupId: number): Promise<number> {
	const { stdout } = await promisify(execFile)('ps', ['-ax', '-o', 'pgid=,rss=']);
	const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
	return rows.reduce(
		(sum, [pgid, kilobytes = 0]) => (pgid === groupId ? sum + kilobytes * 1024 : sum),
		0,
	);
}

/** Samples the memory of a process group once a second while `work` runs. */
export async function sampleGroupMemory(
	groupId: number,
	work: () => Promise<void>,
): Promise<number[]> {
	const samples: Array<Promise<number>> = [];
	const timer = setInterval(() => samples.push(residentBytes(groupId)), 1000);
	try {
		await work();
	} finally {
		clearInterval(timer);
	}
	return await Promise.all(samples);
}
