import { EVENTS } from '../../../nodes/ESign/service/events';
import { deliver, signatureOf } from '../support/deliveries';
import { captureLog } from '../support/log';
import { N8nInstance, type StoredWorkflow } from '../support/n8nInstance';

const SECRET = 'whsec_test';
const ALL_EVENTS = Object.keys(EVENTS);

let n8n: N8nInstance;
let workflow: StoredWorkflow;
let url: string;

/** An active workflow with an endpoint whose secret is SECRET. */
beforeEach(async () => {
	n8n = new N8nInstance({ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_unused' });
	await n8n.start();
	captureLog();
	workflow = n8n.add({ events: ALL_EVENTS }, { active: true });
	url = n8n.productionUrl(workflow);
	const endpoint = { id: 'whk_1', secret: SECRET, url, owner: 'x', events: ALL_EVENTS, at: 1 };
	workflow.staticData = { global: { [`eSign/${workflow.node.id}`]: { endpoint: [endpoint] } } };
});

afterEach(async () => {
	jest.restoreAllMocks();
	workflow.active = false;
	await n8n.end();
});

const signed = (body: string) => ({ 'x-esign-signature': signatureOf(body, { secret: SECRET }) });

it('a genuine delivery is verified over its bytes, whatever their form and content type, and no other starts anything', async () => {
	const body = `{ "id":"evt_bytes",\n\t"event" : "document.sent", "extra": 1.0, "document":{"title":"\\u00e9 é"} }`;
	for (const type of [
		'application/json',
		'text/plain',
		'application/octet-stream',
		'application/vnd.esign+json',
	]) {
		const named = body.replace('evt_bytes', `evt_${type}`);
		expect(
			await deliver(url, named, { 'content-type': type, ...signed(`${named} `) }),
		).toMatchObject({ status: 401 });
		expect(await deliver(url, named, { 'content-type': type, ...signed(named) })).toMatchObject({
			status: 200,
		});
	}
	const expected = { event: 'document.sent', extra: 1, document: { title: 'é é' } };
	expect(n8n.itemsOf(workflow)).toHaveLength(4);
	expect(n8n.itemsOf(workflow)[0]?.json).toEqual({ id: 'evt_application/json', ...expected });
});
