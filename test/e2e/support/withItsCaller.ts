import { execFileSync } from 'node:child_process';
import { isAlive } from '../../../harness/processes/isAlive';

/**
 * Ends this run of Jest when npm, or the shell it runs scripts in, is killed with SIGKILL, which tells nobody: the run
 * would go on with its servers and browsers, unseen. What it started ends with it (harness/processes/guard.cjs).
 */
export function endWithItsCaller(): void {
	const callers = callersInGroup();
	setInterval(() => {
		if (!callers.every(isAlive)) process.kill(process.pid, 'SIGKILL');
	}, 1000).unref();
}

/** The processes between this one and the leader of its group, who is what a user or .ci/run started. */
function callersInGroup(): number[] {
	const callers: number[] = [];
	const { parent, group } = describe(process.pid);
	for (let pid = parent; pid > 1;) {
		const caller = describe(pid);
		if (caller.group !== group) break;
		callers.push(pid);
		pid = caller.parent;
	}
	return callers;
}

function describe(pid: number): { parent: number; group: number } {
	const line = execFileSync('ps', ['-o', 'ppid=,pgid=', '-p', String(pid)], { encoding: 'utf8' });
	const [parent = 0, group = 0] = line.trim().split(/\s+/).map(Number);
	return { parent, group };
}
