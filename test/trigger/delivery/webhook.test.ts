import { EVENT_OPTIONS } from '../../../nodes/ESign/service/events';
import { deliver, payloadOf, signatureOf } from '../support/deliveries';
import { captureLog } from '../support/log';
import { clock, N8nInstance, type StoredWorkflow } from '../support/n8nInstance';

const SECRET = 'whsec_test';
const ALL_EVENTS = EVENT_OPTIONS.map(({ value }) => value);

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
	workflow.staticData = { global: { [`eSign/${workflow.node.id}/endpoint/whk_1`]: endpoint } };
});

afterEach(async () => {
	jest.restoreAllMocks();
	workflow.active = false;
	await n8n.end();
});

const signed = (body: string) => ({ 'x-esign-signature': signatureOf(body, { secret: SECRET }) });

it('a genuine delivery is verified over its bytes, whatever their form and content type, and no other starts anything', async () => {
	const body = `{ "id":"evt_bytes",\n\t"event" : "document.sent", "extra": 1.0, "document":{"title":"\\u00e9 é"} }`;
	for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'application/vnd.esign+json']) {
		const named = body.replace('evt_bytes', `evt_${type}`);
		expect(await deliver(url, named, { 'content-type': type, ...signed(`${named} `) })).toMatchObject({ status: 401 });
		expect(await deliver(url, named, { 'content-type': type, ...signed(named) })).toMatchObject({ status: 200 });
	}
	const expected = { event: 'document.sent', extra: 1, document: { title: 'é é' } };
	expect(n8n.itemsOf(workflow)).toHaveLength(4);
	expect(n8n.itemsOf(workflow)[0]).toEqual({ json: { id: 'evt_application/json', ...expected } });
});

it('an event that n8n takes long to start is answered after seven seconds, also if its sender has hung up, and starts once', async () => {
	const body = JSON.stringify(payloadOf('document.sent'));
	let finish: () => void = () => undefined;
	n8n.beforeAnswer = async () => await new Promise<void>((resolve) => (finish = resolve));
	const sender = new AbortController();
	const first = fetch(url, { method: 'POST', body, headers: signed(body), signal: sender.signal });
	while (n8n.pending === 0) await new Promise((resolve) => setTimeout(resolve, 5));
	sender.abort();
	await expect(first).rejects.toThrow();
	expect(await clock.during(deliver(url, body, signed(body)))).toMatchObject({ status: 200 });

	const finishFirst = finish;
	const otherBody = JSON.stringify(payloadOf('document.sent'));
	const other = deliver(url, otherBody, signed(otherBody));
	while (n8n.pending === 1) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(await clock.during(other)).toEqual({ status: 200, text: expect.stringContaining('has room') as string });
	expect(n8n.itemsOf(workflow)).toEqual([]);
	finish();
	finishFirst();
	while (n8n.pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
	expect(await deliver(url, body, signed(body))).toMatchObject({ status: 200 });
	expect(n8n.itemsOf(workflow)).toHaveLength(2);
});
