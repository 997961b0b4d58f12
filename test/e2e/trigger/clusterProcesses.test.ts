import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../harness/processes/isAlive';
import { projectRoot } from '../../../harness/packing';
import { until } from '../../../harness/processes/until';

const answers = async (port: number) =>
	await new Promise<boolean>((resolve) => {
		const socket = connect(port, '127.0.0.1', () => resolve(true));
		socket.on('error', () => resolve(false));
		socket.on('connect', () => socket.destroy());
	});

describe('Redis and PostgreSQL of the queue mode', () => {
	it('end when the process that started them is killed', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-esign-servers-'));
		await chmod(folder, 0o711);
		const support = join(projectRoot, 'harness/n8nCluster');
		const starter = `
			const { findPrograms } = require(${JSON.stringify(join(support, 'programs.ts'))});
			const { startPostgres } = require(${JSON.stringify(join(support, 'postgres.ts'))});
			const { startRedis } = require(${JSON.stringify(join(support, 'redis.ts'))});
			(async () => {
				const programs = findPrograms();
				const postgres = await startPostgres(programs, ${JSON.stringify(join(folder, 'postgres'))});
				const redis = await startRedis(programs['redis-server'], ${JSON.stringify(join(folder, 'redis'))});
				console.log('ports ' + postgres.port + ' ' + redis.port);
			})();`;
		const child = spawn(process.execPath, ['--require', 'tsx/cjs', '-e', starter], {
			cwd: projectRoot,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let output = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
		try {
			const ports = await until('both servers', async () => /^ports (\d+) (\d+)/m.exec(output)?.slice(1).map(Number));
			expect(await Promise.all(ports.map(answers))).toEqual([true, true]);
			const [pid, , , , , , sharedMemory] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split(
				'\n',
			);
			const postmaster = Number(pid);
			expect(isAlive(postmaster)).toBe(true);
			child.kill('SIGKILL');
			await once(child, 'exit');
			await until('both to end', async () => {
				const left = await Promise.all(ports.map(answers));
				return left.some(Boolean) || isAlive(postmaster) ? undefined : true;
			});
			// The kernel keeps these 56 bytes, by which PostgreSQL knows that a database is in use, when it is killed.
			const segment = sharedMemory?.trim().split(/\s+/)[1];
			if (segment && process.platform === 'linux') execFileSync('ipcrm', ['-m', segment]);
		} finally {
			child.kill('SIGKILL');
			await rm(folder, { recursive: true, force: true });
		}
	}, 60_000);
});
