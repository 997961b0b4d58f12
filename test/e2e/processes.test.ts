import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { GuardedProcess } from '../support/processes/guardedProcess';
import { isAlive } from '../support/processes/isAlive';
import { projectRoot } from '../support/packing';
import { until } from '../support/processes/until';

/**
 * A server that has started a helper of its own, as n8n does with its task runner; prints both
 * process ids.
 */
const SERVER = `
	const helper = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
	process.stdout.write('pids ' + process.pid + ' ' + helper.pid + '\\n');
	setInterval(() => {}, 1000);`;

const allGone = async (pids: number[]) =>
	await until('every process to end', async () => (pids.some(isAlive) ? undefined : true), 10_000);

const idsIn = (line: string) => /^pids (\d+) (\d+)/m.exec(line)?.slice(1).map(Number);

describe('Whatever ends first, nothing that was started is left', () => {
	async function startServer(): Promise<{ server: GuardedProcess; pids: [number, number] }> {
		const server = new GuardedProcess(process.execPath, ['-e', SERVER]);
		const [main, helper] = await until('the server', async () => idsIn(server.logs));
		if (!main || !helper) throw new Error(server.logs);
		return { server, pids: [main, helper] };
	}

	it.each(['stop', 'kill'] as const)('%s ends the server and its helper', async (end) => {
		const { server, pids } = await startServer();
		expect(pids.every(isAlive)).toBe(true);
		await server[end]();
		await allGone(pids);
		expect(server.running).toBe(false);
	});

	it('the server is killed: its helper and its guard go too', async () => {
		const { server, pids } = await startServer();
		process.kill(pids[0], 'SIGKILL');
		expect(await server.done()).not.toBe(0);
		await allGone([...pids, server.pid]);
	});

	it('the guard is killed: the server and its helper go too', async () => {
		const { server, pids } = await startServer();
		process.kill(server.pid, 'SIGKILL');
		await server.done();
		await allGone(pids);
	});

	it('the process that started the server is killed: everything goes', async () => {
		const module = JSON.stringify(join(projectRoot, 'test/support/processes/guardedProcess.ts'));
		const starter = `
			const { GuardedProcess } = require(${module});
			const options = { onLine: (line) => console.log(line) };
			new GuardedProcess(process.execPath, ['-e', ${JSON.stringify(SERVER)}], options);`;
		const child = spawn(process.execPath, ['--require', 'tsx/cjs', '-e', starter], {
			cwd: projectRoot,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let output = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
		const pids = await until('the server', async () => idsIn(output));
		expect(pids.every(isAlive)).toBe(true);
		child.kill('SIGKILL');
		await once(child, 'exit');
		await allGone(pids);
	});
});
