import { NIGHTLY, sized } from '../../../harness/nightly';
import { freePort } from '../../../harness/n8nServer/server';
import { until } from '../../../harness/processes/until';
import { startRecordingProxy, type RecordingProxy } from '../../../harness/recordingProxy';
import { forEachOf } from '../../../harness/serviceClient';
import { chain, eSign, itemsOf, node } from '../support/nodes';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { looksAt, outcomeOf, WaitingRuns, type Site } from '../wait/support/waitingRuns';

const TRIGGER = 'eSign Trigger';
const LIMITS = NIGHTLY ? [1, 2] : [1];
const EVENTS = sized(12, 60);
const WAITING = sized(6, 100);

/** How long one execution holds a slot, in seconds: all of them take longer than the service waits for an answer. */
const SLOT_SECONDS = 2;

const secondsSince = (began: number) => Math.round((performance.now() - began) / 1_000);

const say = (line: string) => process.stderr.write(`${line}\n`);

describe.each(LIMITS)('An n8n with a limit of %d executions, whose address changes', (limit) => {
	let stage: Stage;
	let site: Site;
	let before: RecordingProxy;
	let after: RecordingProxy;

	beforeAll(async () => {
		const port = await freePort();
		before = await startRecordingProxy(() => `http://127.0.0.1:${port}`);
		after = await startRecordingProxy(() => `http://127.0.0.1:${port}`);
		stage = await setStage({ port, env: { WEBHOOK_URL: before.url, N8N_CONCURRENCY_PRODUCTION_LIMIT: String(limit) } });
		const { n8n, service, sandbox, credentialId } = stage;
		site = { api: n8n.api, webhookUrl: n8n.url, service, control: sandbox.control, credentialId };
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
		await before?.close();
		await after?.close();
	});

	it('runs each event once, also across a restart, and its endpoint stays on', async () => {
		const { n8n, service } = stage;
		const trigger = eSign(TRIGGER, 'eSignTrigger', stage.credentialId, { events: ['document.sent'] });
		const wait = node('Hold the slot', 'n8n-nodes-base.wait', { amount: SLOT_SECONDS, unit: 'seconds' });
		const { id } = await n8n.api.createWorkflow(
			chain('Slots', [trigger, { ...wait, typeVersion: 1.1, webhookId: 'hold-the-slot' }]),
		);
		await n8n.api.publish(id);
		const documents: string[] = [];
		const began = performance.now();
		await forEachOf(EVENTS, EVENTS, async (index) => {
			documents.push((await service.send(`Contract ${index}`, [`p${index}@example.com`])).id);
		});
		// Whatever n8n has not answered by then is delivered again, and n8n runs what it has stored: those would run twice.
		const [endpoint] = await service.endpoints();
		await until(
			'every event to be accepted',
			async () => {
				const log = await service.deliveries(endpoint?.id ?? '');
				const arrived = new Set(log.filter(({ succeeded }) => succeeded).map(({ event_id }) => event_id));
				return arrived.size === EVENTS ? true : undefined;
			},
			120_000,
		);
		say(`${EVENTS} events, limit ${limit}: all accepted after ${secondsSince(began)} s`);
		expect((await n8n.api.executions(id)).some(({ status }) => status === 'new')).toBe(true);
		const looks = await looksAt(site);
		await n8n.restart();
		await until('a look', async () => ((await looksAt(site)) > looks ? true : undefined), 120_000);
		await until(
			'all to be through',
			async () => ((await n8n.api.executions(id)).every(({ status }) => status === 'success') ? true : undefined),
			60_000 + EVENTS * SLOT_SECONDS * 10_000,
		);
		const ran: unknown[] = [];
		for (const { id: execution } of await n8n.api.executions(id)) {
			const [item] = itemsOf(await n8n.api.execution(execution), TRIGGER);
			ran.push((item?.json.document as { id: string } | undefined)?.id);
		}
		expect(ran.sort()).toEqual(documents.sort());
		expect(await service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
		say(`all have run once after ${secondsSince(began)} s`);
		await n8n.api.unpublish(id);
	}, 900_000);

	it('wakes whoever fell asleep at the address before, and was killed, by a trigger that was renamed', async () => {
		const runs = await WaitingRuns.publish(site, 'moved');
		const documents = await Promise.all(
			Array.from({ length: WAITING }, async (_, n) => await stage.service.send(`Wait ${n}`, [`w${n}@example.com`])),
		);
		const began = performance.now();
		await Promise.all(documents.map(async ({ id }) => await runs.start([id])));
		await runs.asleep(WAITING, 400_000);
		say(`${WAITING} executions, limit ${limit}: all asleep after ${secondsSince(began)} s`);
		await runs.renameTrigger('Contracts end here');
		await stage.n8n.kill();
		await before.close();
		Object.assign(stage.n8n['settings'].env, { WEBHOOK_URL: after.url });
		const looks = await looksAt(site);
		await stage.n8n.start();
		await until('a look', async () => ((await looksAt(site)) > looks ? true : undefined), 120_000);
		const signedAt = performance.now();
		await Promise.all(documents.map(async ({ recipients }) => await site.control.sign(recipients[0]?.id ?? '')));
		const executions = await runs.finished(WAITING, 400_000);
		say(`all have gone on ${secondsSince(signedAt)} s after the signatures`);
		expect(executions.map(({ status }) => status)).toEqual(documents.map(() => 'success'));
		expect(executions.map((execution) => outcomeOf(execution).runs)).toEqual(documents.map(() => 1));
		// The one at the address before stays, and is switched off: another n8n might receive there.
		await until(
			'the endpoint to be on',
			async () => {
				const here = (await stage.service.endpoints()).filter(({ url }) => url.startsWith(after.url));
				return here.length > 0 && here.every(({ status }) => status === 'ACTIVE') ? true : undefined;
			},
			180_000,
		);
		await runs.end();
	}, 1_200_000);
});
