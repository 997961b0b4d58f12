import { setImmediate as nextTurn } from 'node:timers/promises';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { N8n } from '../../../harness/n8nCore/n8n';
import { SEED, sized } from '../../../harness/nightly';
import { seededRandom } from '../../../harness/seededRandom';
import { otherProcess } from '../support/otherProcess';
import { bench, openBench, templateIds } from '../../actions/support/operationRun';
import { byId, TYPE } from '../../actions/support/workbench';

openBench();

const ROWS = 50;

const random = seededRandom(SEED);
/** After how many requests the run is cut off: in the list, in the first sends, in any of them, in the last ones. */
const points = [
	1,
	2,
	3,
	...Array.from({ length: sized(1, 15) }, () => 4 + Math.floor(random() * (ROWS - 4))),
	ROWS,
	ROWS + 1,
];

const parameters: INodeParameters = {
	resource: 'template',
	operation: 'send',
	templateId: byId('={{ $json.template }}'),
	recipientsInput: 'json',
	recipientsJson:
		'={{ [{ role: "Candidate", name: $json.name, email: $json.email }, { role: "HR", name: "H", email: "hr@example.com" }] }}',
	additionalFields: { title: '={{ "Offer for " + $json.name }}', skipIfCreatedWithin: 24 },
};

async function rows(): Promise<INodeExecutionData[]> {
	const { offer } = await templateIds();
	return Array.from({ length: ROWS }, (_, index) => ({
		json: { name: `Person ${index}`, email: `person${index}@example.com`, template: offer },
	}));
}

/** An n8n that has just been started. */
async function freshN8n(): Promise<N8n> {
	return await otherProcess({}, { baseUrl: bench.proxy.url, apiKey: bench.sandbox.keys.test });
}

describe('A bulk run of 50 rows that is cut off', () => {
	it.each(points)('after request %d, and started again: 50 documents, none twice', async (after) => {
		const items = await rows();
		bench.takeRequests();
		const stop = new AbortController();
		const cutOff = (await freshN8n()).runNode(TYPE, { parameters, items, signal: stop.signal });
		while (bench.proxy.seen().length < after) await nextTurn();
		stop.abort();
		await cutOff;
		// The service carries out what it has received, whether anybody waits for the answer or not.
		while (bench.proxy.seen().some(({ status }) => status === 0)) await nextTurn();
		const sentBefore = bench.takeRequests().filter(({ method }) => method === 'POST').length;

		const run = await (await freshN8n()).runNode(TYPE, { parameters, items });
		expect(run.error).toBeUndefined();
		const requests = bench.takeRequests();
		expect(requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
		expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(ROWS - sentBefore);
		expect(run.items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			items.map(({ json }, item) => [`Offer for ${String(json.name)}`, { item }]),
		);
		expect(run.items.filter(({ json }) => json.already_existed === true)).toHaveLength(sentBefore);
		const all = (await bench.run('document', 'getAll', { returnAll: true })).items.map(({ json }) => json.id);
		expect(all).toHaveLength(ROWS);
		expect(new Set(all)).toEqual(new Set(run.items.map(({ json }) => json.id)));
	});
});
