import type { Document } from '../../support/serviceClient';
import { clock } from '../../trigger/support/n8nInstance';
import { WaitStage } from '../support/waitStage';
import { byId } from '../support/workbench';

const stage = new WaitStage({ rateLimit: 10, clock });
const EXECUTIONS = 30;

/** What n8n asks the service for meanwhile, and for how many seconds it is busy. */
async function during(
	work: () => Promise<unknown>,
): Promise<{ requests: string[]; seconds: number }> {
	const begun = clock.now();
	const requests = await stage.requestsDuring(async () => await clock.during(work()));
	return { requests, seconds: (clock.now() - begun) / 1_000 };
}

describe(`${EXECUTIONS} executions at ten requests a minute`, () => {
	let documents: Document[];

	beforeEach(async () => {
		// The limit is per key: the node has one of its own.
		const { key } = await stage.sandbox.control.createKey({ mode: 'TEST' });
		await stage.n8n.end();
		stage.n8n = await stage.startN8n(key);
		await stage.n8n.publish();
		// What the trigger's first look was told would serve them.
		await clock.pass(30_001);
		documents = [];
		for (let index = 0; index < EXECUTIONS; index++) {
			documents.push(await stage.send(`Contract ${index}`));
			await stage.sandbox.control.advance(60);
		}
	});

	it('that begin to wait at once fall asleep within a minute and a half, with ten requests in all', async () => {
		const { requests, seconds } = await during(
			async () =>
				await Promise.all(documents.map(async (document) => await stage.asleepFor(document))),
		);
		expect(requests.length).toBeLessThanOrEqual(10);
		expect(requests.filter((request) => request === 'GET /webhooks')).toHaveLength(1);
		expect(seconds).toBeLessThanOrEqual(90);
	});

	it('that begin one after the other ask for each document, and seldom for the webhooks', async () => {
		const { requests, seconds } = await during(async () => {
			for (const document of documents) await stage.asleepFor(document);
		});
		const lists = requests.filter((request) => request === 'GET /webhooks').length;
		expect([lists <= 7, requests.length - lists]).toEqual([true, EXECUTIONS]);
		expect(seconds).toBeLessThanOrEqual((60 * (EXECUTIONS + lists)) / 10);
	});
});

it('a list that names no trigger is not believed by whoever begins after it', async () => {
	const document = await stage.send();
	const begin = async () =>
		(await stage.n8n.wait({ documentId: byId(document.id) })).run.error?.message;
	expect(await clock.during(begin())).toContain('No active eSign Trigger');
	await stage.sandbox.control.advance(60);
	await stage.n8n.publish();
	expect(await clock.during(begin())).toBeUndefined();
});
