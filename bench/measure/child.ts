import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What a child process sends back: the value the function returned, or why it threw. */
export type ChildAnswer<T> = { value: T } | { error: string };

/**
 * Runs an exported function of a module of `bench/` in a process of its own, so that neither memory
 * nor warm caches nor the event loop are shared with anything measured before.
 *
 * @param file the module's path
 * @param name the exported function; it takes `input` and returns something that JSON can carry
 * @param variables of the environment, besides those of this process
 */
export async function inChild<I, O>(
	file: string,
	name: string,
	input: I,
	nodeFlags: string[] = [],
	variables: Record<string, string> = {},
): Promise<O> {
	const child = fork(join(__dirname, 'childMain.ts'), [file, name], {
		execArgv: [...process.execArgv, ...nodeFlags],
		env: { ...process.env, ...variables },
		stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
	});
	let answer: ChildAnswer<O> | undefined;
	child.on('message', (message) => (answer = message as ChildAnswer<O>));
	child.send({ input });
	const [code] = (await once(child, 'exit')) as [number | null];
	if (!answer) throw new Error(`${name} of ${file} ended without an answer (exit code ${code})`);
	if ('error' in answer) throw new Error(answer.error);
	return answer.value;
}
