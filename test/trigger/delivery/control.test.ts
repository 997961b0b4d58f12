import { createHmac } from 'node:crypto';
import { messageKey, newMessage, seal, unseal, type Answer } from '../../../nodes/ESign/waiting/message';
import { deliver, deliverSigned, payloadOf } from '../support/deliveries';
import { endpointOf, sceneForEachTest } from '../support/scene';

const scene = sceneForEachTest();

/** The secret of an endpoint that the trigger does not know. */
const ADDED = 'whsec_added';

/** What all nodes with an API key hold, computed by hand. */
const sharedBy = (apiKey: string) =>
	messageKey(createHmac('sha256', apiKey).update('n8n-nodes-esign shared secret').digest('hex'));

async function activeTrigger() {
	const { n8n, sandbox } = scene();
	const { workflow } = await scene().activeWorkflow();
	const url = n8n.productionUrl(workflow);
	const known = endpointOf(workflow) as ReturnType<typeof endpointOf> & { owner: string };
	const member = { ...known, id: 'whk_added', secret: ADDED, at: Date.now() };
	const message = newMessage({ owner: known.owner, state: { endpoint: [member] } });
	return { workflow, url, known, message, key: sharedBy(sandbox.keys.test) };
}

const send = async (url: string, sealed: unknown) => await deliver(url, JSON.stringify({ sealed }), {});

/** Whether a delivery that is signed with the added secret starts the workflow. */
const isBelieved = async (url: string) =>
	(await deliverSigned(url, payloadOf('document.sent'), { secret: ADDED })).status === 200;

describe('A message to the trigger’s own webhook', () => {
	it('makes an endpoint known, if whoever sends it has the API key', async () => {
		const { url, message, key } = await activeTrigger();
		expect(await isBelieved(url)).toBe(false);
		const { status, text } = await send(url, seal(message, key));
		expect(status).toBe(200);
		expect(unseal<Answer>(text, key)).toMatchObject({
			nonce: message.nonce,
			state: { endpoint: expect.any(Array) as unknown[] },
		});
		expect(await isBelieved(url)).toBe(true);
	});

	it.each<[string, (made: Awaited<ReturnType<typeof activeTrigger>>) => unknown]>([
		['sealed with a signing secret', ({ message, known }) => seal(message, messageKey(known.secret))],
		['sealed with another API key', ({ message }) => seal(message, sharedBy('sk_test_other'))],
		['for another trigger', ({ message, key }) => seal({ ...message, owner: 'instance/other/node' }, key)],
		['without an owner', ({ message, key }) => seal({ ...message, owner: undefined }, key)],
		['older than five minutes', ({ message, key }) => seal({ ...message, at: Date.now() - 301_000 }, key)],
		['without a time', ({ message, key }) => seal({ ...message, at: undefined as unknown as number }, key)],
		['changed by one bit', ({ message, key }) => changed(seal(message, key))],
		['cut short', ({ message, key }) => seal(message, key).slice(0, 20)],
		['not sealed', ({ message }) => JSON.stringify(message)],
		['that is no text', ({ message }) => message],
	])('%s is refused and changes nothing', async (_what, sealedBy) => {
		const made = await activeTrigger();
		const before = JSON.stringify(made.workflow.staticData);
		const { status, text } = await send(made.url, sealedBy(made));
		expect(status).toBe(401);
		expect(text).not.toContain(made.known.secret);
		expect(JSON.stringify(made.workflow.staticData)).toBe(before);
		expect(await isBelieved(made.url)).toBe(false);
		expect(scene().n8n.itemsOf(made.workflow)).toEqual([]);
	});
});

function changed(sealed: string): string {
	const bytes = Buffer.from(sealed, 'base64');
	const middle = bytes.length >> 1;
	bytes[middle] = (bytes[middle] ?? 0) ^ 1;
	return bytes.toString('base64');
}
