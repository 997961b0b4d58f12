import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface HealthSample {
	at: number;
	/** Resident memory of n8n's process group, in bytes. */
	memory: number;
	/** Open handles of the group, and how many of them are sockets. */
	handles: number;
	sockets: number;
}

const PAGE_BYTES = 4096;

/** What Linux tells of all processes of a group; undefined where there is no `/proc`. */
async function sample(groupId: number): Promise<HealthSample | undefined> {
	const total: HealthSample = { at: Date.now(), memory: 0, handles: 0, sockets: 0 };
	const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
	for (const pid of pids) {
		const folder = join('/proc', pid);
		try {
			// The command may hold spaces and brackets; what follows its last bracket does not.
			const stat = await readFile(join(folder, 'stat'), 'utf8');
			const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
			if (Number(group) !== groupId) continue;
			const [, resident] = (await readFile(join(folder, 'statm'), 'utf8')).split(' ');
			total.memory += Number(resident) * PAGE_BYTES;
			const links = await Promise.all(
				(await readdir(join(folder, 'fd'))).map(
					async (fd) => await readlink(join(folder, 'fd', fd)).catch(() => ''),
				),
			);
			total.handles += links.length;
			total.sockets += links.filter((link) => link.startsWith('socket:')).length;
		} catch {
			// It has ended meanwhile.
		}
	}
	return total.memory > 0 ? total : undefined;
}

/** Samples n8n's processes every few seconds, whichever process group they are in at the moment. */
export class Health {
	readonly samples: HealthSample[] = [];
	private readonly timer: NodeJS.Timeout;

	constructor(groupId: () => number | undefined, everyMs = 3_000) {
		this.timer = setInterval(() => {
			const group = groupId();
			if (group === undefined) return;
			void sample(group).then((taken) => taken && this.samples.push(taken));
		}, everyMs);
	}

	stop(): void {
		clearInterval(this.timer);
	}

	within(from: number, until: number): HealthSample[] {
		return this.samples.filter(({ at }) => at >= from && at <= until);
	}
}
