import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { client } from '../../../nodes/ESign/client';
import { clock, N8nInstance } from '../support/n8nInstance';
import { endpointOf, sceneForEachTest, type Scene, type StoredWorkflow } from '../support/scene';
import { silentServer } from '../support/silentServer';

const scene = sceneForEachTest();

let n8n: Scene['n8n'];
let service: Scene['service'];
let sandbox: Scene['sandbox'];
let logged: Scene['logged'];

beforeEach(() => {
	({ n8n, service, sandbox, logged } = scene());
});

const add = (parameters: INodeParameters = {}) => scene().add(parameters);

const requestsDuring = async (work: () => Promise<unknown>) => await scene().requestsDuring(work);

async function urls(): Promise<string[]> {
	return (await service.endpoints()).map(({ url }) => url);
}

describe('Activating', () => {
	it('registers one endpoint with the URL and the events of the trigger, which then fires', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const [endpoint, ...others] = await service.endpoints();
		expect(others).toEqual([]);
		expect(endpoint).toMatchObject({
			id: endpointOf(workflow).id,
			url: n8n.productionUrl(workflow),
			events: ['document.sent', 'document.completed'],
			mode: 'TEST',
		});
		const { id } = await service.complete();
		expect(n8n.itemsOf(workflow).map(({ json }) => [json.event, (json.document as IDataObject).id])).toEqual([
			['document.sent', id],
			['document.completed', id],
		]);
	});

	it('again, at a start, costs one request, and one more to look for missed events', async () => {
		const workflow = add();
		const quiet = add({ options: { replayMissed: false } });
		await n8n.activate(workflow);
		await n8n.activate(quiet);
		const { id } = endpointOf(workflow);
		expect(await requestsDuring(async () => await n8n.activate(workflow, 'init'))).toEqual([
			'GET /webhooks',
			`GET /webhooks/${id}/deliveries`,
		]);
		expect(await requestsDuring(async () => await n8n.activate(quiet, 'init'))).toEqual(['GET /webhooks']);
		expect(endpointOf(workflow).id).toBe(id);
	});

	it.each([
		['no event', { events: [] }, /No event is selected/],
		['an unknown event', { events: ['document.sent', 'document.shredded'] }, /document\.shredded/],
	])('is refused before any request with %s, also at a start', async (_what, parameters, message) => {
		const requests = await requestsDuring(async () => {
			for (const mode of ['activate', 'init'] as const) {
				await expect(n8n.activate(add(parameters), mode)).rejects.toThrow(message);
			}
		});
		expect(requests).toEqual([]);
	});

	it('is refused before any request where n8n has no https address', async () => {
		const workflow = add();
		jest.spyOn(n8n, 'publicUrl', 'get').mockReturnValue('http://n8n.example.com');
		const requests = await requestsDuring(async () => {
			await expect(n8n.activate(workflow)).rejects.toThrow(/https URLs only.*http:\/\/n8n\.example\.com/);
		});
		expect(requests).toEqual([]);
	});

	it('fails when the service does not say what it has, and makes no twin once it does', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const down = { method: 'GET', path: '/webhooks', when: 'before', kind: 'status', status: 503, times: 50 } as const;
		await sandbox.control.fault(down);
		await expect(n8n.activate(workflow, 'update')).rejects.toThrow(/could not list the webhook endpoints/i);
		await sandbox.control.clearFaults();
		await n8n.activate(workflow);
		expect(await urls()).toEqual([n8n.productionUrl(workflow)]);
	});
});

describe('At a start, an endpoint that has drifted is replaced:', () => {
	it('a changed public URL', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		const before = n8n.productionUrl(workflow);
		n8n.publicPath = '/moved';
		await n8n.activate(workflow, 'init');
		// Another n8n, made of a copy of the database, may be at the old one.
		expect((await urls()).sort()).toEqual([before, n8n.productionUrl(workflow)].sort());
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});

	it('a secret that was lost, as by a crash right after the registration', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		await n8n.kill();
		workflow.staticData = {};
		await n8n.start();
		expect(await urls()).toEqual([n8n.productionUrl(workflow)]);
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
		expect(logged.join('\n')).toMatch(/is to be replaced: its signing secret is lost/);
	});

	it('one that cannot be deleted is deleted at the next start', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		workflow.node.parameters = { events: ['recipient.viewed'] };
		await sandbox.control.fault({
			method: 'DELETE',
			path: '/webhooks/*',
			when: 'before',
			kind: 'status',
			status: 500,
			times: 1_000,
		});
		await n8n.activate(workflow, 'init');
		expect(await urls()).toHaveLength(2);
		await sandbox.control.clearFaults();
		await n8n.activate(workflow, 'init');
		expect(await urls()).toEqual([n8n.productionUrl(workflow)]);
	});
});

describe('At a start with the service out of reach', () => {
	const down = { method: '*', path: '/webhooks', when: 'before', kind: 'status', status: 503, times: 1_000 } as const;

	beforeEach(() => void (n8n.waitsForLook = false));

	it('an endpoint that fits is taken to be there, and the trigger goes on', async () => {
		const workflow = add();
		await n8n.activate(workflow);
		await sandbox.control.fault(down);
		await n8n.activate(workflow, 'init');
		await sandbox.control.clearFaults();
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
		expect(logged.join('\n')).toMatch(/error: eSign: the webhook could not be checked/);
	});

	it.each([
		[
			'has to be replaced',
			async (workflow: StoredWorkflow) => void (workflow.node.parameters.events = ['document.sent']),
		],
		['is not known', async (workflow: StoredWorkflow) => void (workflow.staticData = {})],
	])('an endpoint that %s is replaced as soon as the service answers', async (_what, change) => {
		const workflow = add();
		await n8n.activate(workflow);
		await n8n.kill();
		await change(workflow);
		await sandbox.control.fault(down);
		await n8n.start();
		await sandbox.control.clearFaults();
		await n8n.looked();
		const { id, url } = endpointOf(workflow);
		expect(await service.endpoints()).toMatchObject([{ id, url, events: workflow.node.parameters.events }]);
		await service.send();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});
});

describe('A service that refuses the key', () => {
	const refusal = { method: '*', path: '/webhooks', when: 'before', kind: 'status', times: 1_000 } as const;

	beforeEach(() => void (n8n.waitsForLook = false));

	it.each(['init', 'leadershipChange'] as const)(
		'for a while does not end the trigger at a start (%s), which makes its endpoint once it may',
		async (mode) => {
			const workflow = add();
			await sandbox.control.fault({ ...refusal, status: mode === 'init' ? 401 : 402 });
			await n8n.activate(workflow, mode);
			await clock.pass(60_000);
			expect(logged.join('\n')).toMatch(/error: eSign: the webhook could not be checked/);
			await sandbox.control.clearFaults();
			await n8n.looked();
			expect(await service.endpoints()).toMatchObject([{ url: n8n.productionUrl(workflow), status: 'ACTIVE' }]);
			await service.send();
			expect(n8n.itemsOf(workflow)).toHaveLength(1);
		},
	);

	it.each(['activate', 'update'] as const)('is told to the person who activates the workflow (%s)', async (mode) => {
		const workflow = add();
		await sandbox.control.fault({ ...refusal, status: 403 });
		await expect(n8n.activate(workflow, mode)).rejects.toMatchObject({ httpCode: '403' });
		expect(workflow.active).toBe(false);
	});
});

describe('With a service that accepts connections and never answers', () => {
	it('every hook ends in time: the activation by a person fails, a start goes on, and the end goes through', async () => {
		const { port, close } = await silentServer();
		const silent = new N8nInstance({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'sk_test_silent' });
		silent.waitsForLook = false;
		Object.assign(client.settings, { requestTimeoutMs: 100 });
		await silent.start();
		try {
			const workflow = silent.add({ events: ['document.sent'] });
			const seconds = async (work: Promise<unknown>) => {
				const begin = clock.now();
				await work;
				return (clock.now() - begin) / 1_000;
			};
			const failing = expect(silent.activate(workflow)).rejects.toThrow(/list the webhook endpoints/);
			expect(await seconds(failing)).toBeLessThan(45);
			expect(await seconds(silent.activate(workflow, 'init'))).toBeLessThan(45);
			expect(workflow.active).toBe(true);
			expect(await seconds(silent.deactivate(workflow))).toBeLessThan(45);
		} finally {
			Object.assign(client.settings, { requestTimeoutMs: 30_000 });
			await silent.kill();
			await close();
		}
	});
});
