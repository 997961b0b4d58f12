import { readdir, readFile } from 'node:fs/promises';

/** A tick of the kernel's accounting, the same on every Linux that n8n runs on. */
const MS_PER_TICK = 10;

/**
 * CPU time that the processes of a group have used so far, and their children that have ended, in
 * milliseconds (Linux).
 */
export async function groupCpuMs(groupId: number): Promise<number> {
	const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const used = await Promise.all(ids.map(async (id) => await ticksOf(id, groupId)));
	return used.reduce((sum, ticks) => sum + ticks, 0) * MS_PER_TICK;
}

async function ticksOf(id: string, groupId: number): Promise<number> {
	// One that has ended meanwhile has no file any more.
	const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
	// The name, in parentheses, may hold anything; behind it stand state, parent and group, and at 11
	// to 14 the times.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	if (Number(fields[2]) !== groupId) return 0;
	return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}
