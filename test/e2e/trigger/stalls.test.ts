import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startGateway, type Gateway } from '../../support/gateway';
import { ensureInstalled, lineUnderTest } from '../../support/n8nServer/installation';
import { until } from '../../support/processes/until';
import { eventsOf, Runs, TRIGGER } from '../support/runs';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { draft, happen, play, type Story } from './support/stories';

describe('A real n8n beside a service, a network and a database that stall', () => {
	let stage: Stage;
	/** From n8n to the service. */
	let toService: Gateway;
	/** From the service, and from n8n itself, to n8n's public address. */
	let toN8n: Gateway;
	let runs: Runs;

	beforeAll(async () => {
		stage = await setStage({
			toN8n: async (n8n) => (toN8n = await startGateway(n8n)),
			toService: async (service) => (toService = await startGateway(service)),
		});
		runs = await Runs.ofTrigger(stage, { events: ['document.sent'] });
		await runs.publish();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	const replays = async () =>
		(await stage.sandbox.control.requests()).filter(({ path }) => path.endsWith('/replay')).length;

	const isActive = async () => await stage.n8n.api.isPublished(runs.workflowId);

	/** Resolves when n8n's log says this, of the start that is under way. */
	const said = async (words: string) =>
		await until(
			`"${words}" in the log`,
			async () => stage.n8n.logs.includes(words) || undefined,
			90_000,
		);

	it('a start beside a silent service: active, and what was missed arrives by itself once the service is back', async () => {
		await stage.n8n.stop();
		await happen(stage.service, ['sent']);
		await stage.sandbox.control.advance(60);
		toService.set('silent');
		await stage.n8n.start();
		expect(await isActive()).toBe(true);
		await said('could not be checked or registered, and is looked at again');
		// A test listener that fails meanwhile does not end that.
		await stage.n8n.api.listen(runs.workflowId, TRIGGER).catch(() => undefined);
		await stage.n8n.api.stopListening(runs.workflowId).catch(() => undefined);
		expect(await runs.count()).toBe(0);
		toService.set('open');
		expect(await runs.settled(1, 180_000)).toHaveLength(1);
	}, 400_000);

	it('missed events wait for n8n’s public address, and the endpoint stays on', async () => {
		// One that arrives: what ran from the log still counts among the failures in a row, of which
		// twenty switch the endpoint off.
		const ran = await runs.count();
		await happen(stage.service, ['sent']);
		const before = eventsOf(await runs.settled(ran + 1)).length;
		const asked = await replays();
		await stage.n8n.stop();
		await happen(stage.service, Array<Story>(6).fill('sent'));
		await stage.sandbox.control.advance(60);
		toN8n.set('down');
		await stage.n8n.start();
		await said('does not answer at its own webhook URL');
		await stage.sandbox.control.advance(60);
		expect(await replays()).toBe(asked);
		expect(await stage.service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);
		toN8n.set('open');
		const events = async () => eventsOf(await runs.settled(before)).length;
		await until(
			'all six to run',
			async () => ((await events()) >= before + 6 ? true : undefined),
			180_000,
		);
		expect(await events()).toBe(before + 6);
	}, 400_000);

	// n8n 1.x answers before it starts anything: what becomes of the start is not to be seen there.
	const onV2 = lineUnderTest() === 'v1' ? it.skip : it;

	onV2.each([8, 35])(
		'a database that stalls for %d s: the sender hangs up or asks again, and the event runs once',
		async (seconds) => {
			// One that arrives: after many failures in a row the attempts to come would switch the endpoint
			// off.
			const ran = await runs.count();
			await happen(stage.service, ['sent']);
			await runs.settled(ran + 1);
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
			await play(stage.service, plots);
			await released;
			const [endpoint] = await stage.service.endpoints();
			const log = await until(
				'the attempts to be over',
				async () => {
					const all = await stage.service.deliveries(endpoint?.id ?? '');
					const attempts = all.filter(({ document_id }) => document_id === plots[0]?.document.id);
					return attempts.length === 3 || attempts.some(({ succeeded }) => succeeded)
						? attempts
						: undefined;
				},
				90_000,
			);
			// What no attempt has delivered is fetched at the next start.
			if (!log.some(({ succeeded }) => succeeded)) await stage.n8n.restart();
			// What n8n still has under way is done by the time that it has run what comes after.
			plots.push(...(await draft(stage.service, ['sent'])));
			await play(stage.service, plots.slice(1));
			const documents = plots.map(({ document }) => document.id).sort();
			const ranOf = async () =>
				eventsOf(await runs.settled(before + 2, 120_000))
					.map(({ document }) => document.id)
					.filter((id) => documents.includes(id))
					.sort();
			// What is given again ends at once, without an item, and is an execution as well.
			await until('both to run', async () => ((await ranOf()).length >= 2 ? true : undefined));
			expect({ ran: await ranOf(), log }).toMatchObject({ ran: documents });
		},
		400_000,
	);
});
