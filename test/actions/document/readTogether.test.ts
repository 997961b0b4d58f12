import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType } from 'n8n-workflow';
import { readTogether } from '../../../nodes/ESign/actions/document/waiting/readTogether';
import { now, sharedSettings } from '../../../nodes/ESign/transport';
import { N8n } from '../../../harness/n8nCore/n8n';

const TYPE = 'n8n-nodes-esign.reader';

let silent: Server;
/** How often the service was asked for something. It answers nothing. */
let asked: number;

beforeEach(async () => {
	Object.assign(sharedSettings, { attempts: 1 });
	asked = 0;
	silent = createServer(() => (asked += 1));
	await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
	silent.closeAllConnections();
	await new Promise((resolve) => silent.close(resolve));
});

/** An n8n with a node that does this in n8n's own context. */
function n8nThat(reads: (context: IExecuteFunctions) => Promise<void>): N8n {
	const reader: INodeType = {
		description: {
			displayName: 'Reader',
			name: 'reader',
			group: ['output'],
			version: 1,
			description: 'Reads documents',
			defaults: {},
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name: 'eSignApi', required: true }],
			properties: [],
		},
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			await reads(this);
			return [[]];
		},
	};
	const { port } = silent.address() as AddressInfo;
	return new N8n({ [TYPE]: reader }, { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk_test_silent' });
}

const read = async (context: IExecuteFunctions, id: string, withinMs: number) =>
	await readTogether(context, new Map([[id, 0]]), { deadline: now() + withinMs }, new Map());

it('ends at the deadline of each caller, though the reading that serves him goes on, or has not begun', async () => {
	const ended: string[] = [];
	const n8n = n8nThat(async (context) => {
		await Promise.all(
			['doc_first', 'doc_second'].map(async (id) => {
				await expect(read(context, id, 200)).rejects.toThrow('Could not read the document');
				ended.push(id);
			}),
		);
	});
	const run = await n8n.runNode(TYPE, { parameters: {} });
	expect(run.error).toBeUndefined();
	expect(ended.sort()).toEqual(['doc_first', 'doc_second']);
});

it('ends with the execution that is stopped', async () => {
	const stop = new AbortController();
	let ended = false;
	const n8n = n8nThat(async (context) => {
		const reading = read(context, 'doc_first', 3_600_000);
		while (asked === 0) await new Promise(setImmediate);
		stop.abort();
		await expect(reading).rejects.toThrow('cancelled');
		ended = true;
	});
	await n8n.runNode(TYPE, { parameters: {}, signal: stop.signal });
	while (!ended) await new Promise(setImmediate);
});
