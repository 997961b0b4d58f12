import { announceLongRun } from '../../nodes/ESign/operation/hints';
import { client } from '../../nodes/ESign/client';
import { Item } from '../../nodes/ESign/operation/parameters';
import { JumpClock } from '../client/support/jumpClock';
import { askWithoutPauses, scriptedItem } from './support/scriptedItem';
import { Workbench } from './support/workbench';

askWithoutPauses();

it.each<[items: number, each: number, limit: number, said: string | undefined]>([
	[5, 4, 10, '5 items, 4 requests each: about 2 minutes at 10 requests a minute'],
	[7, 1, 5, '7 items, 1 request each: about 2 minutes at 5 requests a minute'],
	[5, 4, 20, undefined],
	[50, 0, 10, undefined],
	[50, 1, 0, undefined],
])(
	'How long %i items of %i requests take at a limit of %i is said once, after the second',
	async (items, each, limit, said) => {
		const headers: Record<string, string> =
			limit === 0
				? {}
				: {
						'x-ratelimit-limit': `${limit}`,
						'x-ratelimit-remaining': `${limit - 1}`,
						'x-ratelimit-reset': '9',
					};
		const { item, hints } = scriptedItem({}, () => ({ body: { mode: 'TEST' }, headers }));
		const told: string[] = [];
		const logged: string[] = [];
		const sendMessageToUI = (message: string) => told.push(message);
		Object.assign(item.context, {
			getInputData: () => Array.from({ length: items }),
			sendMessageToUI,
			logger: { info: (message: string) => logged.push(message) },
		});
		const second = new Item(item.context, 1);
		for (let sent = 0; sent < 30; sent++) await item.call('GET /account');
		for (let sent = 0; sent < each; sent++) await second.call('GET /account');
		for (const done of [item, second, second]) await announceLongRun(done);
		expect(hints).toEqual(said === undefined ? [] : [said]);
		expect(told).toEqual(hints);
		expect(logged).toEqual(hints);
	},
);

it('In n8n it is a hint of the node, also when the first item fails', async () => {
	const clock = new JumpClock();
	Object.assign(client.settings, { clock });
	const bench = await Workbench.open({ rateLimit: 5, rateWindow: 60, clock });
	const settings = { onError: 'continueRegularOutput' as const };
	const items = [{ json: {} }, ...Array.from({ length: 6 }, () => ({ json: { limit: 1 } }))];
	const { hints } = await bench.run(
		'template',
		'getAll',
		{ limit: '={{ $json.limit }}' },
		{ items, settings },
	);
	await bench.close();
	expect(hints.map(({ message }) => message)).toContain(
		'7 items, 1 request each: about 2 minutes at 5 requests a minute',
	);
});
