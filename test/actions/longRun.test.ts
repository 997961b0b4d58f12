import { N8n } from '../../harness/n8nCore/n8n';
import { announceLongRun } from '../../nodes/ESign/actions/longRun';
import type { Operation } from '../../nodes/ESign/actions/operation';
import * as createAndSend from '../../nodes/ESign/actions/document/create/createAndSend.operation';
import * as create from '../../nodes/ESign/actions/document/create/create.operation';
import * as get from '../../nodes/ESign/actions/template/get.operation';
import * as send from '../../nodes/ESign/actions/template/send.operation';
import { ESign } from '../../nodes/ESign/ESign.node';
import { client } from '../../nodes/ESign/client';
import { startSandbox } from '../../sandbox';
import { JumpClock } from '../client/support/jumpClock';
import { scriptedItem } from './support/scriptedItem';
import { TYPE } from './support/workbench';

it.each<[string, number, number, Operation, string | undefined]>([
	[
		'files, draft, fields, send',
		5,
		10,
		createAndSend,
		'5 items, up to 4 requests each: about 2 minutes at 10 requests a',
	],
	['a draft is not sent', 4, 10, create, '4 items, up to 3 requests each: about 2 minutes at 10 requests a minute'],
	['one request', 7, 5, send, '7 items, 1 request each: about 2 minutes at 5 requests a minute'],
	['nobody knows how many', 11, 5, get, '11 items, 1 request or more each: 3 minutes or more at 5 requests a minute'],
	['as many as are let through in a minute', 5, 20, createAndSend, undefined],
	['one item', 1, 2, createAndSend, undefined],
	['no limit', 50, 0, createAndSend, undefined],
])(
	'How long a run takes is said once, where it takes more than a minute: %s',
	async (_, items, limit, operation, said) => {
		const parameters = { fileSource: 'binary', binaryPropertyNames: 'data', fieldsInput: 'automatic' };
		const headers: Record<string, string> =
			limit === 0
				? {}
				: { 'x-ratelimit-limit': `${limit}`, 'x-ratelimit-remaining': `${limit - 1}`, 'x-ratelimit-reset': '9' };
		const { item, hints } = scriptedItem(parameters, () => ({ body: { mode: 'TEST' }, headers }));
		const told: string[] = [];
		const sendMessageToUI = (message: string) => told.push(message);
		Object.assign(item.context, { getInputData: () => Array.from({ length: items }), sendMessageToUI });
		await item.call('GET /account');
		for (let again = 0; again < 2; again++) await announceLongRun(item, operation);
		expect(hints).toEqual(said === undefined ? [] : [expect.stringContaining(said)]);
		expect(told).toEqual(hints);
	},
);

it('In n8n it is a hint of the node, also when the first item fails', async () => {
	const clock = new JumpClock();
	Object.assign(client.settings, { clock });
	const sandbox = await startSandbox({ rateLimit: 5, rateWindow: 60, clock });
	const n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: sandbox.url, apiKey: sandbox.keys.test });
	const parameters = { resource: 'template', operation: 'getAll', limit: '={{ $json.limit }}' };
	const settings = { onError: 'continueRegularOutput' as const };
	const items = [{ json: {} }, ...Array.from({ length: 6 }, () => ({ json: { limit: 1 } }))];
	const { hints } = await n8n.runNode(TYPE, { parameters, items, settings });
	await sandbox.close();
	expect(hints.map(({ message }) => message)).toContain(
		'7 items, 1 request or more each: 2 minutes or more at 5 requests a minute',
	);
});
