import type { ChildAnswer } from './child';

/**
 * Entry of the processes that `inChild` starts: `childMain.ts FILE NAME`, the input as the first
 * message.
 */
async function main(input: unknown): Promise<void> {
	const [, , file = '', name = ''] = process.argv;
	const answer = await run(file, name, input).then(
		(value): ChildAnswer<unknown> => ({ value }),
		(error: Error): ChildAnswer<unknown> => ({ error: error.stack ?? error.message }),
	);
	// n8n-core keeps timers running; nothing here is left to wait for once the answer is out.
	process.send?.(answer, () => process.exit(0));
}

async function run(file: string, name: string, input: unknown): Promise<unknown> {
	const module = (await import(file)) as Record<string, (input: unknown) => Promise<unknown>>;
	const work = module[name];
	if (!work) throw new Error(`${file} exports no ${name}`);
	return await work(input);
}

// The parent is gone: so is the reason to continue.
process.once('disconnect', () => process.exit(1));
process.once('message', ({ input }: { input: unknown }) => void main(input));
