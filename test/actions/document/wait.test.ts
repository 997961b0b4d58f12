import type { IDataObject } from 'n8n-workflow';
import { N8n } from '../../../harness/n8nCore/n8n';
import type { Document } from '../../../harness/serviceClient';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { messageKey, newMessage, seal, type Message } from '../../../nodes/ESign/waiting/message';
import { WAKE_PATH } from '../../../nodes/ESign/waiting/wakeUrl';
import { clock } from '../../trigger/support/n8nInstance';
import { storedWaits, WaitStage } from '../support/waitStage';
import { byId } from '../support/workbench';

const stage = new WaitStage();

const FROM_ITEM = byId('={{ $json.id }}');
const itemsFor = (...documents: Array<{ id: string }>) => documents.map(({ id }) => ({ json: { id, row: id } }));

describe('Wait for Completion', () => {
	it('takes two requests to begin and one to end', async () => {
		await stage.n8n.publish();
		const document = await stage.send();
		const toBegin = await stage.requestsDuring(async () => await stage.n8n.wait({ documentId: byId(document.id) }));
		expect(toBegin).toEqual(['GET /webhooks', `GET /documents/${document.id}`]);
		const toEnd = await stage.requestsDuring(async () => {
			await stage.sandbox.control.expire(document.id);
			await stage.eventually('the execution', () =>
				[...stage.n8n.executions.values()].find(({ status }) => status === 'success'),
			);
		});
		expect(toEnd).toEqual([`GET /documents/${document.id}`]);
	});

	it.each<[string, (document: Document) => Promise<unknown>]>([
		['completed', async (document) => await stage.sign(document)],
		['declined', async ({ recipients }) => await stage.sandbox.control.decline(recipients[0]?.id ?? '')],
		['cancelled', async ({ id }) => await stage.service.api('POST', `/documents/${id}/cancel`)],
		['expired', async ({ id }) => await stage.sandbox.control.expire(id)],
	])('sleeps until a document is %s, and puts it out as Get does', async (status, end) => {
		await stage.n8n.publish();
		const document = await stage.send();
		const id = await stage.asleepFor(document);
		expect(stage.n8n.limitOf(id)).toBeUndefined();
		await end(document);
		const json = await stage.service.document(document.id);
		expect(json.status).toBe(status);
		expect((await stage.goneOn(id)).items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('goes on too when the document ends while it falls asleep', async () => {
		await stage.n8n.publish();
		const document = await stage.send();
		stage.n8n.beforeAsleep = async () => {
			await stage.sign(document);
			await stage.eventually('the early call', () => stage.n8n.calls.find(({ status }) => status === 409));
		};
		const { id } = await stage.n8n.wait({ documentId: byId(document.id) });
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	});

	it('goes on with an error when the document is not there any more', async () => {
		await stage.n8n.publish();
		const document = await stage.send();
		const id = await stage.asleepFor(document);
		await stage.sandbox.control.reset();
		await stage.n8n.trigger.hourPasses();
		const error = expect.stringContaining('There is no such document') as string;
		expect((await stage.goneOn(id)).items).toMatchObject([
			{ json: { id: document.id, error }, pairedItem: { item: 0 } },
		]);
	});

	it('sleeps on while the credential holds a key of another mode, which sees no such document', async () => {
		await stage.n8n.publish();
		const document = await stage.send();
		const id = await stage.asleepFor(document);
		const { url: baseUrl, keys } = stage.sandbox;
		stage.n8n.node.credentials.use({ baseUrl, apiKey: keys.live });
		await stage.sign(document);
		await clock.pass(10_000);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		stage.n8n.node.credentials.use({ baseUrl, apiKey: keys.test });
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	});

	it('sleeps on where something before the service answers 404', async () => {
		await stage.n8n.publish();
		const draft = await stage.service.draft('Draft', ['ada@example.com']);
		const id = await stage.asleepFor(draft);
		const path = `/documents/${draft.id}`;
		await stage.sandbox.control.fault({ method: 'GET', path, when: 'before', kind: 'status', status: 404, times: 1 });
		await stage.n8n.trigger.hourPasses();
		await clock.pass(10_000);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
	});

	it('waits for a draft too, until that is sent and has ended', async () => {
		await stage.n8n.publish();
		const draft = await stage.service.draft('Draft', ['ada@example.com']);
		const id = await stage.asleepFor(draft);
		await stage.service.api('POST', `/documents/${draft.id}/send`);
		await stage.n8n.trigger.hourPasses();
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		await stage.sign(draft);
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { id: draft.id, status: 'completed' } }]);
	});

	it('does not sleep when all have ended before it begins', async () => {
		await stage.n8n.publish();
		const { id: done } = await stage.service.complete('Done', ['ada@example.com']);
		const { run } = await stage.n8n.wait({ documentId: byId(done) });
		expect(run.run.data.waitTill).toBeUndefined();
		expect(run.items).toMatchObject([{ json: { id: done, status: 'completed' }, pairedItem: { item: 0 } }]);
	});
});

describe('Several input items', () => {
	it('are waited for as one, and come out in their order, each paired', async () => {
		await stage.n8n.publish();
		const [first, second] = [await stage.send('First'), await stage.send('Second')];
		const done = await stage.service.complete('Done', ['ada@example.com']);
		const { id } = await stage.n8n.wait({ documentId: FROM_ITEM }, itemsFor(first, done, second, first));
		await stage.sign(second);
		await stage.sandbox.control.advance(0);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		await stage.sign(first);
		const { items } = await stage.goneOn(id);
		expect(items.map(({ json, pairedItem }) => [json.id, json.status, pairedItem])).toEqual(
			[first, done, second, first].map((document, item) => [document.id, 'completed', { item }]),
		);
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
		// Nobody is called before the last has ended.
		expect(stage.n8n.wakes.map(({ status }) => status)).toEqual([200]);
	});

	it('of many documents are found in one list', async () => {
		await stage.n8n.publish();
		const documents: Document[] = [];
		for (let index = 0; index < 5; index++) documents.push(await stage.send(`Doc${index}`));
		const requests = await stage.requestsDuring(
			async () => await stage.n8n.wait({ documentId: FROM_ITEM }, itemsFor(...documents)),
		);
		expect(requests).toEqual(['GET /webhooks', 'GET /documents']);
	});

	it('with Continue On Fail all fail as one, and each holds its row', async () => {
		const [first, second] = [await stage.send('First'), await stage.send('Second')];
		const { run } = await stage.n8n.wait({ documentId: FROM_ITEM }, itemsFor(first, second), {
			onError: 'continueRegularOutput',
		});
		expect(run.items).toMatchObject([
			{
				json: { row: first.id, error: expect.stringContaining('No active eSign Trigger') as string },
				pairedItem: { item: 0 },
			},
			{ json: { row: second.id }, pairedItem: { item: 1 } },
		]);
	});

	it('with Continue On Fail all come out at once, with the error, if one document does not exist', async () => {
		await stage.n8n.publish();
		const items = itemsFor(await stage.send(), { id: 'doc_unknown' });
		const { run } = await stage.n8n.wait({ documentId: FROM_ITEM }, items, { onError: 'continueRegularOutput' });
		const error = 'There is no such document: doc_unknown';
		expect(run.items).toMatchObject(
			items.map(({ json: { row } }, item) => ({ json: { row, error }, pairedItem: { item } })),
		);
		expect(run.run.data.waitTill).toBeUndefined();
	});
});

describe('Before anything waits, it fails', () => {
	const failure = async (documentId: string) => (await stage.n8n.wait({ documentId: byId(documentId) })).run.error;

	it('if there is no active trigger, and says what to publish', async () => {
		const { id } = await stage.send();
		const error = await failure(id);
		expect(error?.message).toBe('No active eSign Trigger of this n8n can wake the execution');
		expect(error?.description).toContain('Publish (activate) a workflow in this n8n with an eSign Trigger');
	});

	it('if the trigger does not have the four events, and names those that it lacks', async () => {
		await stage.n8n.publish(['document.completed', 'document.declined', 'recipient.signed']);
		const { id } = await stage.send();
		expect((await failure(id))?.description).toContain('does not listen for Document Cancelled, Document Expired');
	});

	it('if the only trigger is another n8n’s', async () => {
		const other = await stage.startN8n();
		await other.publish();
		const { id } = await stage.send();
		expect((await failure(id))?.description).toContain(`only at ${other.trigger.publicUrl}`);
		await other.end();
	});

	it('if the trigger has another API key of the same workspace', async () => {
		await stage.n8n.publish();
		const { id } = await stage.send();
		const { key } = await stage.sandbox.control.createKey({ mode: 'TEST' });
		stage.n8n.node.credentials.use({ baseUrl: stage.sandbox.url, apiKey: key });
		const description = (await failure(id))?.description;
		expect(description).toContain('has the same API key');
		expect(description).toContain('answered 401');
	});

	it('if the trigger does not answer', async () => {
		const workflow = await stage.n8n.publish();
		workflow.active = false;
		const { id } = await stage.send();
		expect((await failure(id))?.description).toContain('answered 404');
		workflow.active = true;
	});

	it('if what stands in front of n8n lets in its webhooks alone, and names the address', async () => {
		await stage.n8n.publish();
		stage.n8n.trigger.otherwise = async (_request, response) => void response.status(403).send('Forbidden');
		const error = await failure((await stage.send()).id);
		expect(error?.message).toBe('n8n cannot be reached where it wakes waiting executions');
		expect(error?.description).toContain('Let requests to /webhook-waiting/ through');
		expect(error?.description).toContain(`${stage.n8n.trigger.publicUrl}/webhook-waiting/ answered 403`);
	});

	it('if the trigger only listens for a test event', async () => {
		const workflow = stage.n8n.trigger.add({
			events: ['document.completed', 'document.declined', 'document.cancelled', 'document.expired'],
		});
		await stage.n8n.trigger.listen(workflow);
		const { id } = await stage.send();
		expect((await failure(id))?.description).toContain('only listens for a test event');
		await stage.n8n.trigger.stopListening(workflow);
	});

	it('if a model uses it as a tool', async () => {
		await stage.n8n.publish();
		const type = 'n8n-nodes-esign.eSignTool';
		const tool = new N8n({ [type]: new ESign() }, { baseUrl: stage.sandbox.url, apiKey: stage.sandbox.keys.test });
		const parameters = { resource: 'document', operation: 'wait', documentId: byId((await stage.send()).id) };
		const { error } = await tool.runNode(type, { parameters, publicUrl: stage.n8n.trigger.publicUrl });
		expect(error?.message).toBe('A tool cannot wait for documents');
	});

	it('if a document does not exist, and the trigger forgets the execution', async () => {
		const workflow = await stage.n8n.publish();
		const error = await failure('doc_unknown');
		expect(error?.httpCode).toBe('404');
		expect(Object.values(storedWaits(workflow))).toMatchObject([{ documents: [] }]);
	});
});

describe('Limit Wait Time', () => {
	const limited = async (values: IDataObject) => {
		await stage.n8n.publish();
		const document = await stage.send();
		const options = { limitWaitTime: { values } } as IDataObject;
		const { id } = await stage.n8n.wait({ documentId: FROM_ITEM, options: options as never }, itemsFor(document));
		return { id, document };
	};

	it('lets the input through as it came when the time is up', async () => {
		const before = Date.now();
		const { id, document } = await limited({ limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'days' });
		const until = stage.n8n.limitOf(id)?.getTime() ?? 0;
		expect(until - before).toBeGreaterThanOrEqual(2 * 86_400_000);
		expect(until - before).toBeLessThan(2 * 86_400_000 + 60_000);
		await stage.n8n.timeIsUp(id);
		expect(stage.n8n.outputOf(id)?.items).toMatchObject([{ json: { id: document.id, row: document.id } }]);
		// Its end concerns nobody any more.
		await stage.sign(document);
		await stage.eventually('the call', () => (stage.n8n.calls.length > 0 ? true : undefined));
		expect(stage.n8n.calls).toMatchObject([{ execution: id, status: 409 }]);
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
	});

	it('takes a date in the timezone of the workflow', async () => {
		const { id } = await limited({ limitType: 'atSpecifiedTime', maxDateAndTime: '2031-03-04T05:06:07' });
		expect(stage.n8n.limitOf(id)).toBeInstanceOf(Date);
	});

	it.each<[string, IDataObject]>([
		['Amount', { limitType: 'afterTimeInterval', resumeAmount: -1, resumeUnit: 'days' }],
		['Unit', { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: 'weeks' }],
		['Max Date and Time', { limitType: 'atSpecifiedTime', maxDateAndTime: 'tomorrow' }],
		['Max Date and Time', { limitType: 'atSpecifiedTime', maxDateAndTime: '' }],
	])('refuses a wrong %s before any request', async (label, values) => {
		const options = { limitWaitTime: { values } } as never;
		const requests = await stage.requestsDuring(async () => {
			const { run } = await stage.n8n.wait({ documentId: byId('doc_1'), options });
			expect(run.error?.message).toContain(`Limit Wait Time > ${label}`);
		});
		expect(requests).toEqual([]);
	});
});

describe('A wake-up that is none', () => {
	async function call(id: string, body: unknown): Promise<number> {
		const response = await fetch(`${stage.n8n.trigger.publicUrl}/webhook-waiting/${id}/${WAKE_PATH}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		await response.text();
		return response.status;
	}
	const sealed = (key: string, content: Partial<Message> = { wake: true }) => ({
		sealed: seal(newMessage(content), messageKey(key)),
	});

	async function asleep() {
		const workflow = await stage.n8n.publish();
		const document = await stage.send();
		const { id } = await stage.n8n.wait({ documentId: byId(document.id) });
		const [wait] = Object.values(storedWaits(workflow));
		return { id, document, key: String(wait?.key) };
	}

	it.each<[string, (key: string) => unknown]>([
		['is not sealed', (key) => ({ wake: key })],
		['is empty', () => ({})],
		['is sealed with another key, or is for another wait', () => sealed('other')],
		[
			'is older than five minutes',
			(key) => ({ sealed: seal({ ...newMessage({ wake: true }), at: Date.now() - 301_000 }, messageKey(key)) }),
		],
	])('is not heard, and costs no request: it %s', async (_what, bodyOf) => {
		const { id, key } = await asleep();
		const requests = await stage.requestsDuring(async () => expect(await call(id, bodyOf(key))).toBe(401));
		expect(requests).toEqual([]);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
	});

	it('is not believed while the document is open', async () => {
		const { id, key } = await asleep();
		expect(await call(id, sealed(key))).toBe(200);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
	});

	it('that only asks whether it waits costs no request', async () => {
		const { id, key } = await asleep();
		const requests = await stage.requestsDuring(async () => expect(await call(id, sealed(key, {}))).toBe(200));
		expect(requests).toEqual([]);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
	});

	it('that comes twice lets the execution go on once', async () => {
		const { id, document, key } = await asleep();
		await stage.sandbox.control.fault({
			method: 'GET',
			path: `/documents/${document.id}`,
			when: 'before',
			kind: 'delay',
			delay_ms: 200,
			times: 5,
		});
		await stage.service.api('POST', `/documents/${document.id}/cancel`);
		const statuses = await Promise.all([1, 2, 3].map(async () => await call(id, sealed(key))));
		await stage.goneOn(id);
		expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
		expect([404, 409]).toContain(await call(id, sealed(key)));
	});

	it('that cannot ask the service leaves it asleep, and it is woken when the service answers', async () => {
		const { id, document } = await asleep();
		await stage.sandbox.control.fault({
			method: 'GET',
			path: `/documents/${document.id}`,
			when: 'before',
			kind: 'status',
			status: 403,
			times: 1,
		});
		await stage.sign(document);
		await stage.eventually('the refused call', () => stage.n8n.calls.find(({ status }) => status === 503));
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
		expect(stage.logged.join('\n')).toContain('could not ask the service');
	});
});
