/**
 * `node guard.cjs COMMAND [ARGUMENT...]` runs the command until it ends, or until this process's stdin closes.
 *
 * Whoever starts a server holds the other end of that stdin. The system closes it even when the holder is killed with
 * SIGKILL and can clean up nothing, so no server outlives the test run or the demo it belongs to.
 *
 * Must lead a process group of its own (`detached: true`): what the command started in turn is in that group too.
 */
const { spawn } = require('node:child_process');

const [command, ...args] = process.argv.slice(2);
// Both go to the whole group: the guard waits while the command ends in its own way.
process.on('SIGTERM', () => {});
process.on('SIGINT', () => {});

const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.on('error', (error) => {
	process.stderr.write(`${command}: ${error.message}\n`);
	process.exit(127);
});
// What the command left behind in the group is ended by the holder of stdin, who sees the guard go.
child.on('exit', (code) => process.exit(code ?? 1));

const endGroup = () => process.kill(-process.pid, 'SIGKILL');
process.stdin.on('error', endGroup);
process.stdin.on('close', endGroup);
process.stdin.resume();
