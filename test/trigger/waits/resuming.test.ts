import { startGateway } from '../../support/gateway';
import { forEachOf } from '../../support/serviceClient';
import { WaitStage } from '../../actions/support/waitStage';
import { WaitingN8n } from '../../actions/support/waitingN8n';
import { clock } from '../support/n8nInstance';

const stage = new WaitStage();

it('executions whose documents end while another asks the service are served by one list', async () => {
	const gateway = await startGateway(() => stage.sandbox.url);
	await stage.n8n.end();
	stage.n8n = await WaitingN8n.start({
		baseUrl: `${gateway.url}/v1`,
		apiKey: stage.sandbox.keys.test,
	});
	await stage.n8n.publish();
	const sent = await forEachOf(20, 1, async () => await stage.asleep());
	const before = (await stage.sandbox.control.requests()).length;
	const asked = async () => (await stage.sandbox.control.requests()).slice(before);
	// The first is asked for at once, and the answer takes until all others have ended too.
	gateway.set('late');
	const [first, ...others] = sent.map(({ document }) => document.id);
	await stage.sandbox.control.expire(first ?? '');
	await stage.eventually('the first to be asked for', async () => (await asked())[0]);
	await Promise.all(others.map(async (id) => await stage.sandbox.control.expire(id)));
	gateway.set('open');
	for (const { document, id } of sent) {
		expect((await stage.goneOn(id)).items).toMatchObject([
			{ json: { id: document.id, status: 'expired' } },
		]);
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
	}
	expect((await asked()).length).toBeLessThanOrEqual(10);
	await stage.n8n.end();
	await gateway.close();
});

it('a document that cannot be read does not keep the others asleep', async () => {
	await stage.n8n.publish();
	const sent = await forEachOf(3, 1, async () => await stage.asleep());
	const documents = sent.map(({ document }) => document);
	const path = `/documents/${documents[0]?.id}`;
	await stage.refuse('/documents', 403, 1_000);
	await stage.refuse(path, 403, 6);
	await Promise.all(documents.map(async (document) => await stage.sign(document)));
	for (const { id } of sent)
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	const reads = (await stage.sandbox.control.requests()).filter(({ method }) => method === 'GET');
	const last = documents.map(({ id }) => reads.findLastIndex((read) => read.path.endsWith(id)));
	expect(last.indexOf(Math.max(...last))).toBe(0);
	expect(reads.filter((read) => read.path.endsWith(path) && read.status === 403)).toHaveLength(6);
});

it('an execution that n8n 1.x says resumes is resumed only once: it may wait for a free slot for hours', async () => {
	stage.n8n.answersFirst = true;
	await stage.n8n.publish();
	const { document, id } = await stage.asleep();
	stage.n8n.failedStarts = 1;
	await stage.sign(document);
	for (let n = 0; n < 2; n++) {
		await clock.pass(1_000_000);
		await stage.n8n.trigger.hourPasses();
	}
	expect([stage.n8n.timesGoneOn(id), stage.n8n.failedStarts]).toEqual([0, 0]);
	const [first, ...others] = stage.n8n.wakes.map(({ status }) => status);
	expect([first, ...new Set(others)]).toEqual([200, 409]);
});

it('an execution that n8n 2.x failed to start is called again, and resumes', async () => {
	await stage.n8n.publish();
	const { document, id } = await stage.asleep();
	stage.n8n.failedStarts = 1;
	await stage.sign(document);
	await stage.eventually('the failed start', () => stage.n8n.failedStarts === 0 || undefined);
	await clock.pass(60_000);
	await stage.n8n.trigger.hourPasses();
	await stage.goneOn(id);
	expect(stage.n8n.timesGoneOn(id)).toBe(1);
});

it('two triggers wake an execution once, each of them asks at the hourly look, and one of them suffices', async () => {
	const workflows = [await stage.n8n.publish(), await stage.n8n.publish()];
	const { document: first, id } = await stage.asleep();
	const looked = await stage.requestsDuring(async () => await stage.n8n.trigger.hourPasses());
	expect(looked.filter((request) => request === 'GET /documents')).toHaveLength(2);
	await stage.sign(first);
	await stage.goneOn(id);
	expect(await stage.requestsDuring(async () => await clock.pass(30_000))).toEqual([]);
	expect(stage.n8n.timesGoneOn(id)).toBe(1);
	for (const workflow of workflows) {
		const { document, id: other } = await stage.asleep();
		await stage.n8n.trigger.deactivate(workflow);
		await stage.sign(document);
		await stage.goneOn(other);
		expect(stage.n8n.timesGoneOn(other)).toBe(1);
		await stage.n8n.trigger.activate(workflow);
	}
});
