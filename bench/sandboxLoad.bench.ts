import { Agent, request } from 'node:http';
import { startSandbox } from '../sandbox';
import { inChild } from './measure/child';
import { median } from '../test/support/statistics';
import type { Bench } from './report/figure';

const SANDBOX = 'Sandbox';

const MB = 1024 * 1024;

/** Requests under way at once. */
const LANES = 8;

/** Sent in turn: reads, lists and refusals, which leave nothing behind that would have to grow. */
const MIX: ReadonlyArray<{ method: string; path: string; body?: string }> = [
	{ method: 'GET', path: '/account' },
	{ method: 'GET', path: '/templates' },
	{ method: 'GET', path: '/documents?limit=20' },
	{ method: 'GET', path: '/webhooks' },
	{ method: 'GET', path: '/documents/doc_unknown' },
	{
		method: 'POST',
		path: '/documents',
		body: JSON.stringify({ files: ['file_unknown'], recipients: [], extra: 1 }),
	},
];

interface Load {
	url: string;
	key: string;
	requests: number;
}

/**
 * Sends `requests` calls over kept connections and gives the requests per second that were
 * answered.
 */
export async function generate({ url, key, requests }: Load): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: LANES });
	const started = performance.now();
	let next = 0;
	const lane = async () => {
		while (next < requests) {
			const call = MIX[next++ % MIX.length];
			if (call) await answered(agent, url, key, call);
		}
	};
	await Promise.all(Array.from({ length: LANES }, lane));
	agent.destroy();
	return (requests / (performance.now() - started)) * 1000;
}

/**
 * Requests per second that the sandbox answers, and its memory from the first tenth of them to the
 * last.
 */
export const run: Bench = async ({ quick }) => {
	const slices = 10;
	const requests = quick ? 500 : 10_000;
	const sandbox = await startSandbox({ rateLimit: 0 });
	try {
		const rates: number[] = [];
		const memory: number[] = [];
		for (let slice = 0; slice < slices; slice++) {
			const load: Load = { url: sandbox.url, key: sandbox.keys.test, requests };
			rates.push(await inChild<Load, number>(__filename, 'generate', load));
			global.gc?.();
			memory.push(process.memoryUsage.rss());
		}
		const [first = 1] = memory;
		return {
			title: `The sandbox under ${slices * requests} requests`,
			sides: [SANDBOX],
			figures: [
				{
					name: 'Requests',
					unit: 'per s',
					values: { [SANDBOX]: median(rates) },
					target: { atLeast: 200 },
					meaning: `answered with ${LANES} under way at once, without a rate limit; median of ${slices} slices.`,
				},
				{
					name: 'Memory at the end over that after the first tenth',
					unit: 'x',
					values: { [SANDBOX]: Math.max(...memory.slice(-3)) / first },
					target: { atMost: 1.2 },
					meaning: `1 is a flat line; it was at ${Math.round(first / MB)} MB after the first tenth.`,
				},
			],
		};
	} finally {
		await sandbox.close();
	}
};

async function answered(
	agent: Agent,
	url: string,
	key: string,
	call: (typeof MIX)[number],
): Promise<void> {
	const { method, path, body } = call;
	const headers = {
		authorization: `Bearer ${key}`,
		...(body !== undefined && { 'content-type': 'application/json' }),
	};
	await new Promise<void>((resolve, reject) => {
		const call = request(`${url}${path}`, { agent, method, headers }, (response) => {
			if ((response.statusCode ?? 500) >= 500)
				reject(new Error(`${method} ${path} gave ${response.statusCode}`));
			response.resume().once('end', resolve).once('error', reject);
		});
		call.once('error', reject).end(body);
	});
}
