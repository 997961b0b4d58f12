import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';
import type { IDataObject } from 'n8n-workflow';
import { startLateProxy, type LateProxy, type Loss } from '../../../harness/lateProxy';
import { ServiceClient } from '../../../harness/serviceClient';
import { Client, runOf, type ApiRequest, type Endpoint } from '../../../nodes/ESign/client';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { callsOf } from '../support/faults';
import { inNode } from '../support/inNode';
import { JumpClock } from '../support/jumpClock';
import { ROLES } from '../support/samples';

const clock = new JumpClock();
let sandbox: Sandbox;
let proxy: LateProxy;
let direct: ServiceClient;
let losses: Array<Loss | undefined> = [];
let onCreating: () => void;
let lines: string[];

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0, clock });
	direct = new ServiceClient(sandbox.url, sandbox.keys.test);
	proxy = await startLateProxy(
		() => sandbox.url,
		clock,
		(method, path) => {
			if (method === 'GET' || !/\/(webhooks|templates\/[^/]+\/send|rotate|fields)$/.test(path)) return undefined;
			onCreating();
			return losses.shift();
		},
	);
});
beforeEach(async () => {
	await sandbox.control.reset();
	losses = [];
	onCreating = () => undefined;
	lines = [];
	jest.spyOn(Container.get(Logger), 'warn').mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
	await proxy.close();
	await sandbox.close();
});

const client = new Client({ clock });

async function call(endpoint: Endpoint, request: ApiRequest) {
	const credential = { baseUrl: `${proxy.url}/v1`, apiKey: sandbox.keys.test };
	return await inNode(credential, async (context) => (await client.call(context, endpoint, request)) as IDataObject);
}

const SEND = 'POST /templates/{id}/send';
const send = async (): Promise<ApiRequest> => ({
	path: { id: await direct.template('Mutual NDA') },
	body: { recipients: ROLES, title: 'T' },
});
const WEBHOOK = { body: { url: 'https://127.0.0.1:9/late', events: ['document.sent'] } };

describe('A lost answer', () => {
	it.each([0, 3_000, 25_000, 60_000])(
		'whose effect comes after %d ms is found, and the user is told of a wait',
		async (effectMs) => {
			losses = [{ how: 'reset', afterMs: 20, effectMs }];
			const { value, hints } = await call(SEND, await send());
			expect((await direct.list('/documents')).map(({ id }) => id)).toEqual([value.id]);
			const waited = effectMs > 2_000 ? [expect.stringContaining('because the service did not answer')] : [];
			const taken = expect.stringContaining('comes from an earlier request to create the document') as string;
			expect(hints.map(({ message }) => message)).toEqual([...waited, taken]);
		},
	);

	it('whose effect comes while the call is repeated leaves no endpoint whose secret nobody knows', async () => {
		// Too late to be waited for: it comes while the repetition is under way.
		losses = [{ how: 504, afterMs: 0, effectMs: 80_000 }];
		let creations = 0;
		onCreating = () => {
			creations += 1;
			if (creations === 2) void clock.sleep(10_000);
		};
		const { value } = await call('POST /webhooks', WEBHOOK);
		expect((await direct.list('/webhooks')).map(({ id }) => id)).toEqual([value.id]);
		expect(lines.join()).toContain('was deleted again');
	});
});

describe('A lost answer to a call of which the last one counts', () => {
	it('to a rotation: what comes out is what the service holds, however late the first one comes', async () => {
		const { id } = await direct.addLink(await direct.template('Mutual NDA'));
		losses = [{ how: 'reset', afterMs: 10, effectMs: 55_000 }];
		const { value } = await call('POST /template-links/{linkId}/rotate', { path: { linkId: id } });
		await proxy.settle();
		expect(await direct.api('GET', `/template-links/${id}`)).toMatchObject({ slug: value.slug });
	});

	it('to the fields of a draft that were corrected since: the corrected ones stay', async () => {
		const { id, recipients } = await direct.draft('T', ['ada@example.com']);
		const placed = await callsOf(sandbox, 'PUT /documents/{id}/fields');
		const saved: unknown[] = [];
		/** One try of the item, which may take so long. */
		const place = async (xNorm: number, deadline?: number) => {
			const box = { pageNumber: 1, xNorm, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.1, type: 'SIGNATURE' };
			const body = { fields: [{ ...box, recipientId: recipients[0]?.id }] };
			const credential = { baseUrl: `${proxy.url}/v1`, apiKey: sandbox.keys.test };
			await inNode(credential, async (context) => {
				runOf(context).beginTry(0, { line: 'the line', item: 'the item', raw: String(xNorm), ids: [], saved });
				await client.withDraft<{ id: string }, unknown>(context, 0, { draft: 'one', whole: xNorm }, async (draft) => {
					draft.keep({ id });
					const request = { path: { id }, body, itemIndex: 0, deadline };
					return await client.call(context, 'PUT /documents/{id}/fields', request);
				});
			});
		};
		losses = [{ how: 'reset', afterMs: 10, effectMs: 40_000 }];
		await expect(place(0.1, clock.now() + 5_000)).rejects.toMatchObject({ context: { outcome: 'in doubt' } });
		await place(0.5);
		// The first had come before the second went out, and nothing comes after it.
		expect(await callsOf(sandbox, 'PUT /documents/{id}/fields')).toBe(placed + 2);
		await proxy.settle();
		expect(await callsOf(sandbox, 'PUT /documents/{id}/fields')).toBe(placed + 2);
	});
});

describe('A call with a deadline', () => {
	it('makes a second webhook endpoint in time, rather than none', async () => {
		losses = [{ how: 'reset', afterMs: 1_000, effectMs: 60_000 }];
		const begin = clock.now();
		const { value } = await call('POST /webhooks', { ...WEBHOOK, deadline: begin + 45_000 });
		expect(value.signing_secret).toEqual(expect.any(String));
		expect(clock.now() - begin).toBeLessThan(45_000);
	});
});
