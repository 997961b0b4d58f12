import type { Document } from '../../../harness/serviceClient';
import { WaitStage } from '../../actions/support/waitStage';
import { byId } from '../../actions/support/workbench';
import { clock } from '../support/n8nInstance';

const stage = WaitStage.ofThisFile();

const MANY = 30;

beforeEach(async () => await stage.n8n.publish());

/** One execution that waits for many documents, all of them older than the hundred newest. */
async function asleepForMany(): Promise<{ id: string; documents: Document[] }> {
	const documents: Document[] = [];
	for (let index = 0; index < MANY; index++) documents.push(await stage.send(`Old ${index}`));
	for (let index = 0; index < 100; index++) await stage.send(`New ${index}`);
	const items = documents.map((document) => ({ json: { id: document.id } }));
	const { id } = await stage.n8n.wait({ documentId: byId('={{ $json.id }}') }, items);
	expect(stage.n8n.outputOf(id)).toBeUndefined();
	return { id, documents };
}

describe('One execution that waits for many documents', () => {
	it('asks for each document once, and each time for one that is open', async () => {
		const { id, documents } = await asleepForMany();
		const before = (await stage.sandbox.control.requests()).length;
		for (const document of documents) {
			await stage.sign(document);
			await clock.pass(1_000);
		}
		const { items } = await stage.goneOn(id);
		expect(items.map(({ json }) => [json.id, json.status])).toEqual(documents.map((d) => [d.id, 'completed']));
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
		const asked = (await stage.sandbox.control.requests()).slice(before).length;
		expect(asked).toBeLessThanOrEqual(2 * MANY);
	});

	it('goes on although one call has no time for all of them', async () => {
		const { id, documents } = await asleepForMany();
		for (const document of documents) {
			await stage.sandbox.control.fault({
				method: 'GET',
				path: `/documents/${document.id}`,
				when: 'before',
				kind: 'delay',
				delay_ms: 125,
				times: 1000,
			});
		}
		for (const document of documents) await stage.sign(document);
		await stage.goneOn(id);
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
	});
});
