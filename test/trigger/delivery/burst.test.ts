import type { IDataObject } from 'n8n-workflow';
import { startSandbox } from '../../../sandbox';
import { deliverSigned, payloadOf } from '../support/deliveries';
import { clock } from '../support/n8nInstance';
import { endpointOf, Scene } from '../support/scene';

const EVENTS = 200;
/** As many executions as get their files in the test: six minutes by its clock. */
const FOLLOWED = 60;

describe('A burst of completed documents with Download Files, at ten requests a minute', () => {
	it('starts every execution at its first delivery; the files follow as fast as the limit allows', async () => {
		const sandbox = await startSandbox({ rateLimit: 10, clock });
		// The limit is per key: the node has one of its own.
		const { key } = await sandbox.control.createKey({ mode: 'TEST' });
		const scene = await Scene.set(sandbox, key);
		try {
			const { workflow } = await scene.activeWorkflow({ options: { downloadFiles: ['signed'] } });
			const { id } = await scene.service.complete();
			const before = (await sandbox.control.requests()).length;
			const endpoint = endpointOf(workflow) as { url: string; secret: string };
			const payloads = Array.from({ length: EVENTS }, () => {
				const payload = payloadOf('document.completed');
				return { ...payload, document: { ...payload.document, id } };
			});
			const answers = await Promise.all(
				payloads.map(async (payload) => await deliverSigned(endpoint.url, payload, endpoint)),
			);
			expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
			expect((await sandbox.control.requests()).slice(before)).toEqual([]);
			expect(await scene.service.endpoints()).toMatchObject([{ status: 'ACTIVE' }]);

			const ids = new Set(payloads.map((payload) => payload.id));
			const items = scene.n8n.itemsOf(workflow).filter(({ json }) => ids.has(String(json.id)));
			expect(items).toHaveLength(EVENTS);
			const began = clock.now();
			const outputs = await Promise.all(
				items.slice(0, FOLLOWED).map(async (item) => await scene.n8n.outputOf(workflow, item)),
			);
			expect((clock.now() - began) / 60_000).toBeLessThan(FOLLOWED / 10 + 2);
			for (const {
				items: [item],
			} of outputs) {
				expect([Object.keys(item?.binary ?? {}), (item?.json as IDataObject).download_errors]).toEqual([
					['signed'],
					undefined,
				]);
			}
			expect((await sandbox.control.requests()).filter(({ status }) => status === 429)).toEqual([]);
		} finally {
			await scene.end();
			await sandbox.close();
		}
	});
});
