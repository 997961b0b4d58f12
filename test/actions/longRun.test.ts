import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { N8n } from '../../harness/n8nCore/n8n';
import { ESign } from '../../nodes/ESign/ESign.node';
import { client } from '../../nodes/ESign/client';
import { startSandbox, type Sandbox } from '../../sandbox';
import { JumpClock } from '../client/support/jumpClock';
import { byId, DRAFT, withContract } from './support/workbench';

const TYPE = 'n8n-nodes-esign.eSign';

type Entry = { id: string; name: string };

let sandbox: Sandbox;
let n8n: N8n;

async function open(rateLimit: number): Promise<void> {
	const clock = new JumpClock();
	Object.assign(client.settings, { clock });
	sandbox = await startSandbox({ rateLimit, rateWindow: 60, clock });
	n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: sandbox.url, apiKey: sandbox.keys.test });
}

afterEach(async () => await sandbox.close());

/** What a run announces, apart from what it waited for. */
async function announced(parameters: INodeParameters, items: INodeExecutionData[]): Promise<string[]> {
	const settings = { onError: 'continueRegularOutput' as const };
	const { hints, error } = await n8n.runNode(TYPE, { parameters, items, settings });
	expect(error).toBeUndefined();
	return hints.map(({ message }) => message).filter((message) => message.includes('items'));
}

const CREATE: INodeParameters = { resource: 'document', operation: 'createAndSend', ...DRAFT };

const times = (count: number) => Array.from({ length: count }, () => ({}));

describe('A run that needs more requests than the service lets through in a minute', () => {
	it('says how many, and about how long that takes at the limit that the service names', async () => {
		await open(10);
		await expect(announced(CREATE, await withContract(...times(5)))).resolves.toEqual([
			'5 items, up to 4 requests each: about 2 minutes at 10 requests a minute',
		]);
		await expect(announced({ ...CREATE, operation: 'create' }, await withContract(...times(4)))).resolves.toEqual([
			'4 items, up to 3 requests each: about 2 minutes at 10 requests a minute',
		]);
	});

	it('says so for the other operations too, also when the first item fails', async () => {
		await open(5);
		const template = await nda();
		const send: INodeParameters = {
			resource: 'template',
			operation: 'send',
			templateId: byId(template),
			recipientsInput: 'json',
			recipientsJson: '={{ $json.people }}',
		};
		const people = [
			{ role: 'Client', name: 'A', email: 'a@example.com' },
			{ role: 'Company', name: 'B', email: 'b@example.com' },
		];
		const items = [{ json: {} }, ...times(6).map(() => ({ json: { people } }))];
		await expect(announced(send, items)).resolves.toEqual([
			'7 items, 1 request each: about 2 minutes at 5 requests a minute',
		]);
		const get: INodeParameters = { resource: 'template', operation: 'get', templateId: byId(template) };
		await expect(
			announced(
				get,
				times(11).map(() => ({ json: {} })),
			),
		).resolves.toEqual(['11 items, 1 request or more each: 3 minutes or more at 5 requests a minute']);
	});

	it('is the only one that says anything', async () => {
		await open(20);
		await expect(announced(CREATE, await withContract(...times(5)))).resolves.toEqual([]);
		await sandbox.close();
		await open(0);
		await expect(announced(CREATE, await withContract(...times(5)))).resolves.toEqual([]);
	});
});

/** The ID of the seed's NDA, by a request of its own. */
async function nda(): Promise<string> {
	const headers = { authorization: `Bearer ${sandbox.keys.test}` };
	const answer = (await (await fetch(`${sandbox.url}/templates`, { headers })).json()) as { data: Entry[] };
	return answer.data.find(({ name }) => name === 'Mutual NDA')?.id ?? '';
}
