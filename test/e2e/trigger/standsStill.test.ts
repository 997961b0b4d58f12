import { until } from '../../support/processes/until';
import { forEachOf } from '../../support/serviceClient';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from '../support/stage';
import { eventsOf, Runs } from '../support/runs';
import { untilLook } from './support/deliveries';
import { EVERY_EVENT } from './support/stories';

/** Of three attempts each, of which twenty failures switch the endpoint off. */
const EVENTS = 10;

/**
 * Nothing stands between the service and n8n: what arrives while n8n stands still is gone before
 * n8n could see it.
 */
describe('An n8n that stands still while events happen', () => {
	let stage: Stage;

	beforeAll(async () => void (stage = await setStage()), STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	it('has its endpoint on again within three minutes, and each event runs once', async () => {
		const { n8n, service } = stage;
		const runs = await Runs.ofTrigger(stage, { events: EVERY_EVENT });
		const hasEndpoint = async (status: string) =>
			(await service.endpoints()).some((endpoint) => endpoint.status === status) || undefined;
		await untilLook(service, async () => await runs.publish());
		process.kill(-(n8n.pid ?? 0), 'SIGSTOP');
		try {
			await forEachOf(
				EVENTS,
				EVENTS,
				async (n) => void (await service.send(`C ${n}`, [`p${n}@example.com`])),
			);
			await until('the endpoint to be off', async () => await hasEndpoint('DISABLED'));
		} finally {
			process.kill(-(n8n.pid ?? 0), 'SIGCONT');
		}
		await until('it to be on', async () => await hasEndpoint('ACTIVE'), 180_000);
		await service.send('After', ['after@example.com']);
		const ran = eventsOf(await runs.settled(EVENTS + 1, 120_000)).map(
			({ document }) => document.id,
		);
		expect(new Set(ran).size).toBe(EVENTS + 1);
	}, 400_000);
});
