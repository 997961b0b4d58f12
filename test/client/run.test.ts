import { RecentMap, serviceOf, type ApiContext } from '../../nodes/ESign/client';
import { readService } from '../../nodes/ESign/client/run';

/** A credential that cannot be read at first, and is another each time. */
function contextOf(more: object): ApiContext {
	let times = 0;
	const getCredentials = async () => {
		if (times++ === 0) throw new Error('locked');
		return { baseUrl: 'https://api.example.com/v1', apiKey: `sk_test_${times}` };
	};
	return {
		getNode: () => ({}),
		getExecutionId: () => 'x',
		getCredentials,
		...more,
	} as unknown as ApiContext;
}

it.each([
	['A run of a node reads its credential once', {}, 1],
	[
		'A running trigger reads its credential each time, which may be another after months',
		{ emit: () => undefined },
		3,
	],
])('%s, and again where it could not be read', async (_what, more, keys) => {
	const context = contextOf(more);
	await expect(serviceOf(context)).rejects.toThrow('locked');
	const read = [await serviceOf(context), await serviceOf(context), await serviceOf(context)];
	expect(new Set(read.map(({ keyId }) => keyId)).size).toBe(keys);
});

it('Keys of one workspace and mode share a name for both, and know the mode', async () => {
	const read = async (apiKey: string) =>
		await readService({
			getNode: () => ({}),
			getCredentials: () => Promise.resolve({ baseUrl: 'https://api.example.com/v1', apiKey }),
		} as unknown as ApiContext);
	const [test, other, live] = [
		await read('sk_test_1'),
		await read('sk_test_2'),
		await read('sk_live_1'),
	];
	expect([test, other, live].map(({ isTest }) => isTest)).toEqual([true, true, false]);
	expect(test.workspaceMode).toBe(other.workspaceMode);
	expect(test.workspaceMode).not.toBe(live.workspaceMode);
});

it('What was used last is the last to be forgotten', () => {
	const map = new RecentMap<string, number>(2);
	for (const key of ['a', 'b', 'a', 'c']) map.set(key, 0);
	expect([...map.keys()]).toEqual(['a', 'c']);
});
