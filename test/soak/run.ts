import { parseArgs } from 'node:util';
import { withSandbox } from '../support/sandboxProcess';
import { soak } from './soak';
import { withScene } from './setting/scene';

const USAGE = `npm run soak [-- --minutes N] [--seed N]

Mixed work on a real n8n against the sandbox, with faults, and the books balanced at the end.
  --minutes N  how long the work takes; default 30, at least 3
  --seed N     which order of work and faults; default 1`;

/**
 * Ten requests in ten seconds: the service's limit at six times its pace, so that there is more of
 * everything.
 */
const LIMIT = { rateLimit: 10, windowSeconds: 10 };

/** Starting, settling and reading everything back take this long at most; then something hangs. */
const BESIDES_MINUTES = 20;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { minutes: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
	});
	if (values.help) return console.log(USAGE);
	const minutes = Math.max(3, Number(values.minutes ?? 30));
	const seed = Number(values.seed ?? 1);
	if (!Number.isFinite(minutes) || !Number.isFinite(seed)) throw new Error(USAGE);

	// What was started ends with this process, by its guards.
	const end = (why: string) => {
		console.error(`${why}\nNOT OK`);
		process.exit(1);
	};
	setTimeout(
		() => end('The soak did not come to an end'),
		(minutes + BESIDES_MINUTES) * 60_000,
	).unref();
	for (const signal of ['SIGINT', 'SIGTERM'] as const)
		process.once(signal, () => end(`Ended by ${signal}`));

	// SIGKILL tells nobody: without the process that started this one, there is no reason to continue.
	const caller = process.ppid;
	setInterval(() => process.ppid !== caller && end('The caller is gone'), 1_000).unref();

	let isOk = false;
	await withSandbox(LIMIT, async (service) => {
		await withScene(service, async (scene) => {
			isOk = await soak(scene, { minutes, seed });
		});
	});
	console.log(isOk ? 'OK' : 'NOT OK');
	// The sockets of the proxies may still linger.
	process.exit(isOk ? 0 : 1);
}

main().catch((error: unknown) => {
	console.error(error);
	console.log('NOT OK');
	process.exit(1);
});
