import { NIGHTLY } from '../../../harness/nightly';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../../../harness/gateway';
import { ensureInstalled, lineUnderTest } from '../../../harness/n8nServer/installation';
import { freePort } from '../../../harness/n8nServer/server';
import { until } from '../../../harness/processes/until';
import { chain, eSign, itemsOf } from '../support/nodes';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { deliveryLog } from './support/deliveries';
import { Runs } from './support/runs';
import { draft, play, type Story } from './support/stories';

const TRIGGER = 'eSign Trigger';
const EVENTS = ['document.sent', 'document.completed'];

describe('A real n8n beside a service, a network and a database that stall', () => {
	let stage: Stage;
	/** From n8n to the service. */
	let toService: Gateway;
	/** From the service, and from n8n itself, to n8n's public address. */
	let toN8n: Gateway;
	let workflowId: string;
	let runs: Runs;

	beforeAll(async () => {
		const port = await freePort();
		let service = '';
		toN8n = await startGateway(() => `http://127.0.0.1:${port}`);
		toService = await startGateway(() => service);
		stage = await setStage({
			port,
			env: { WEBHOOK_URL: toN8n.url },
			baseUrl: ({ url }) => {
				service = url;
				return `${toService.url}/v1`;
			},
		});
		const trigger = eSign(TRIGGER, 'eSignTrigger', stage.credentialId, {
			events: EVENTS,
			options: { downloadFiles: ['signed'] },
		});
		({ id: workflowId } = await stage.n8n.api.createWorkflow(chain('Stalls', [trigger])));
		runs = new Runs(stage.n8n.api, workflowId, TRIGGER);
		await stage.n8n.api.publish(workflowId);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await toService?.close();
		await toN8n?.close();
	});

	const happen = async (stories: Story[]) =>
		await play(stage.service, stage.sandbox.control, await draft(stage.service, stories));

	const replays = async () =>
		(await stage.sandbox.control.requests()).filter(({ path }) => path.endsWith('/replay')).length;

	async function isActive(): Promise<boolean> {
		const { activeVersionId } = await stage.n8n.api.request<{ activeVersionId: string | null }>(
			'GET',
			`/workflows/${workflowId}`,
		);
		return activeVersionId !== null;
	}

	it('a start beside a silent service: active, and what was missed arrives by itself once the service is back', async () => {
		await stage.n8n.stop();
		await happen(['sent']);
		await stage.sandbox.control.advance(60);
		toService.set('silent');
		await stage.n8n.start();
		expect(await isActive()).toBe(true);
		await until(
			'the start to go on',
			async () => stage.n8n.logs.includes('could not be checked, and is checked again') || undefined,
			90_000,
		);
		// A test listener that fails meanwhile does not end that.
		await stage.n8n.api.listen(workflowId, TRIGGER).catch(() => undefined);
		await stage.n8n.api.stopListening(workflowId).catch(() => undefined);
		expect(await runs.count()).toBe(0);
		toService.set('open');
		expect(await runs.settled(1, 180_000)).toHaveLength(1);
	}, 400_000);

	it('a start while the plan has lapsed: active, and what was missed arrives by itself once it is renewed', async () => {
		const { control } = stage.sandbox;
		const before = await runs.count();
		await stage.n8n.stop();
		await happen(['sent']);
		await control.advance(60);
		await control.workspace({ plan: 'FREE' });
		await stage.n8n.start();
		expect(await isActive()).toBe(true);
		await until(
			'the start to go on',
			async () => stage.n8n.logs.includes('could not be checked, and is checked again') || undefined,
			90_000,
		);
		expect(await runs.count()).toBe(before);
		await control.workspace({ plan: 'BUSINESS' });
		expect(await runs.settled(before + 1, 180_000)).toHaveLength(before + 1);
	}, 400_000);

	it('missed events wait for n8n’s public address, and the endpoint stays on', async () => {
		const before = await runs.count();
		const asked = await replays();
		await stage.n8n.stop();
		await happen(Array<Story>(6).fill('sent'));
		await stage.sandbox.control.advance(60);
		toN8n.set('down');
		await stage.n8n.start();
		await until(
			'the trigger to notice',
			async () => stage.n8n.logs.includes('does not answer at its own webhook URL') || undefined,
			90_000,
		);
		await stage.sandbox.control.advance(60);
		expect(await replays()).toBe(asked);
		expect(await stage.service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
		toN8n.set('open');
		expect(await runs.settled(before + 6, 180_000)).toHaveLength(before + 6);
	}, 400_000);

	it('sixteen documents completed at once while no file can be had: each starts at its first delivery', async () => {
		const before = await runs.count();
		const plots = await draft(stage.service, Array<Story>(16).fill('sent'));
		const slow = {
			method: 'GET',
			path: '/documents/*/files/*',
			when: 'before',
			kind: 'delay',
			delay_ms: 15_000,
		} as const;
		await stage.sandbox.control.fault({ ...slow, times: 16 });
		await play(stage.service, stage.sandbox.control, plots);
		await runs.settled(before + 16);
		await Promise.all(
			plots.map(async ({ draft: { recipients } }) => await stage.sandbox.control.sign(recipients[0]?.id ?? '')),
		);
		const all = await until('the executions', async () => {
			const listed = await runs.list();
			return listed.length >= before + 32 ? listed : undefined;
		});
		expect(all.slice(before + 16).some(({ status }) => status === 'running')).toBe(true);
		const [endpoint] = await stage.service.endpoints();
		expect(endpoint).toMatchObject({ status: 'ACTIVE' });
		const completed = await until('the answers', async () => {
			const log = await deliveryLog(stage.service, endpoint?.id ?? '');
			const attempts = log.filter(({ event }) => event === 'document.completed');
			return attempts.length >= 16 ? attempts : undefined;
		});
		expect(completed.map(({ attempt, succeeded }) => [attempt, succeeded])).toEqual(Array(16).fill([1, true]));
		for (const { id } of (await runs.settled(before + 32, 120_000)).slice(before + 16)) {
			const [item] = itemsOf(await stage.n8n.api.execution(id), TRIGGER);
			expect(Object.keys(item?.binary ?? {})).toEqual(['signed']);
		}
	}, 300_000);

	// n8n 1.x answers before it starts anything: what becomes of the start is not to be seen there.
	const onV2 = lineUnderTest() === 'v1' ? it.skip : it;

	onV2.each(NIGHTLY ? [8, 35] : [8])(
		'a database that stalls for %d s: the sender hangs up or asks again, and the event runs once',
		async (seconds) => {
			const before = await runs.count();
			const plots = await draft(stage.service, ['sent']);
			const { node } = await ensureInstalled();
			const database = join(stage.n8n.userFolder, '.n8n', 'database.sqlite');
			const lock = spawn(node, [
				'-e',
				`const { DatabaseSync } = require('node:sqlite');
				const database = new DatabaseSync(${JSON.stringify(database)});
				database.exec('BEGIN IMMEDIATE');
				console.log('locked');
				setTimeout(() => database.exec('ROLLBACK'), ${seconds * 1000});`,
			]);
			const released = once(lock, 'exit');
			await once(lock.stdout, 'data');
			await play(stage.service, stage.sandbox.control, plots);
			await released;
			const [endpoint] = await stage.service.endpoints();
			const log = await until(
				'the attempts to be over',
				async () => {
					const all = await deliveryLog(stage.service, endpoint?.id ?? '');
					const attempts = all.filter(({ document_id }) => document_id === plots[0]?.draft.id);
					return attempts.length === 3 || attempts.some(({ succeeded }) => succeeded) ? attempts : undefined;
				},
				90_000,
			);
			// What no attempt has delivered is fetched at the next start.
			if (!log.some(({ succeeded }) => succeeded)) await stage.n8n.restart();
			// What n8n still has under way is done by the time that it has run what comes after.
			plots.push(...(await draft(stage.service, ['sent'])));
			await play(stage.service, stage.sandbox.control, plots.slice(1));
			const all = (await runs.settled(before + 2, 120_000)).slice(before);
			const ran = all.flatMap(({ events }) => events.map(({ documentId }) => documentId)).sort();
			expect({ ran, log }).toMatchObject({ ran: plots.map((plot) => plot.draft.id).sort() });
		},
		400_000,
	);
});
