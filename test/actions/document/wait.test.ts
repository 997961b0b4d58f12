import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { bytesOf } from '../../support/n8nCore/n8n';
import { forEachOf, type Document } from '../../support/serviceClient';
import { clock } from '../../trigger/support/n8nInstance';
import { WaitStage } from '../support/waitStage';
import { byId } from '../support/workbench';

const stage = new WaitStage();
const FROM_ITEM = byId('={{ $json.id }}');
const itemsFor = (...documents: Array<{ id: string }>) =>
	documents.map(({ id }) => ({ json: { id, row: id } }));

/** A document that has ended, as Get puts it out: nobody is asked for it any longer. */
const asGet = async (id: string) => ({ waiting_for: '', ...(await stage.service.document(id)) });

/** What the trigger's first look was told serves those that begin to wait right after it. */
const listIsOld = async () => await clock.pass(30_001);

describe('Wait for Completion', () => {
	beforeEach(async () => void (await stage.n8n.publish()));

	it('takes two requests to begin and one to end', async () => {
		const document = await stage.send();
		await listIsOld();
		const toBegin = await stage.requestsDuring(
			async () => await stage.n8n.wait({ documentId: byId(document.id) }),
		);
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
		[
			'declined',
			async ({ recipients }) => await stage.sandbox.control.decline(recipients[0]?.id ?? ''),
		],
		['cancelled', async ({ id }) => await stage.service.api('POST', `/documents/${id}/cancel`)],
		['expired', async ({ id }) => await stage.sandbox.control.expire(id)],
	])('sleeps until a document is %s, and puts it out as Get does', async (status, end) => {
		const { document, id } = await stage.asleep();
		expect(stage.n8n.limitOf(id)).toBeUndefined();
		await end(document);
		const json = await asGet(document.id);
		expect(json.status).toBe(status);
		expect((await stage.goneOn(id)).items).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('resumes too when the document ends while it falls asleep', async () => {
		const document = await stage.send();
		stage.n8n.beforeAsleep = async () => {
			await stage.sign(document);
			await stage.eventually('the early call', () =>
				stage.n8n.calls.find(({ status }) => status === 409),
			);
		};
		const { id } = await stage.n8n.wait({ documentId: byId(document.id) });
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	});

	it('is called once more in vain while n8n has no room to resume it, however long', async () => {
		await stage.n8n.publish();
		const { document, id } = await stage.asleep();
		let resume = (): void => undefined;
		let times = 0;
		const slot = new Promise<void>((resolve) => (resume = resolve));
		stage.n8n.beforeSlot = async () => {
			times++;
			await slot;
		};
		await stage.sign(document);
		for (let minutes = 0; minutes < 3; minutes++) {
			await stage.eventually('the call', () => (times > 0 ? true : undefined));
			await clock.pass(61_000);
		}
		resume();
		await stage.goneOn(id);
		expect(times).toBe(1);
	});

	it('resumes with an error when the document is not there any more', async () => {
		const { document, id } = await stage.asleep();
		await stage.sandbox.control.reset();
		await stage.n8n.trigger.hourPasses();
		const error = expect.stringContaining('There is no such document') as string;
		expect((await stage.goneOn(id)).items).toMatchObject([
			{ json: { id: document.id, error }, pairedItem: { item: 0 } },
		]);
	});

	it('sleeps on while the credential holds a key of another mode, which sees no such document', async () => {
		const { document, id } = await stage.asleep();
		const { url: baseUrl, keys } = stage.sandbox;
		stage.n8n.node.credentials.use({ baseUrl, apiKey: keys.live });
		await stage.sign(document);
		await clock.pass(10_000);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		stage.n8n.node.credentials.use({ baseUrl, apiKey: keys.test });
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
	});

	it('sleeps on where something before the service answers 404', async () => {
		const draft = await stage.service.draft('Draft', ['ada@example.com']);
		const id = await stage.asleepFor(draft);
		await stage.refuse(`/documents/${draft.id}`, 404);
		await stage.n8n.trigger.hourPasses();
		await clock.pass(10_000);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
	});

	it('waits for a draft too, until that is sent and has ended', async () => {
		const draft = await stage.service.draft('Draft', ['ada@example.com']);
		const id = await stage.asleepFor(draft);
		await stage.service.api('POST', `/documents/${draft.id}/send`);
		await stage.n8n.trigger.hourPasses();
		expect(stage.n8n.outputOf(id)).toBeUndefined();
		await stage.sign(draft);
		expect((await stage.goneOn(id)).items).toMatchObject([
			{ json: { id: draft.id, status: 'completed' } },
		]);
	});
});

describe('Download Files', () => {
	beforeEach(async () => void (await stage.n8n.publish()));

	/** Begins to wait for documents, with the files that are wanted of them. */
	async function waitWithFiles(downloadFiles: string[], ...documents: Document[]) {
		const parameters = { documentId: FROM_ITEM, options: { downloadFiles } };
		return await stage.n8n.wait(parameters, itemsFor(...documents));
	}

	const filesOf = (item?: INodeExecutionData) => Object.keys(item?.binary ?? {}).sort();

	it.each([false, true])(
		'brings the files of a completed document alone (n8n 1: %s)',
		async (is1) => {
			stage.n8n.answersFirst = is1;
			const [completed, declined] = [await stage.send('Signed'), await stage.send('Declined')];
			const { id } = await waitWithFiles(['certificate', 'signed'], completed, declined);
			await stage.sign(completed);
			await stage.sandbox.control.decline(declined.recipients[0]?.id ?? '');
			const { items } = await stage.goneOn(id);
			expect(items.map(filesOf)).toEqual([['certificate', 'signed'], []]);
			expect(items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual([
				[await asGet(completed.id), { item: 0 }],
				[await asGet(declined.id), { item: 1 }],
			]);
			for (const data of Object.values(items[0]?.binary ?? {})) {
				expect(data).toMatchObject({ mimeType: 'application/pdf' });
				expect((await bytesOf(data)).subarray(0, 5).toString()).toBe('%PDF-');
			}
			expect(stage.n8n.timesGoneOn(id)).toBe(1);
		},
	);

	it('brings those of documents that have ended before', async () => {
		const done = await stage.service.complete('Done', ['ada@example.com']);
		const { run } = await waitWithFiles(['signed'], done, done);
		expect(run.items.map(filesOf)).toEqual([['signed'], ['signed']]);
	});

	it('a file that cannot be had stands in download_errors, and the execution resumes', async () => {
		const document = await stage.send();
		const { id } = await waitWithFiles(['signed', 'certificate'], document);
		await stage.refuse('/documents/*/files/certificate', 404);
		await stage.sign(document);
		const [item] = (await stage.goneOn(id)).items;
		expect(filesOf(item)).toEqual(['signed']);
		expect(item?.json).toMatchObject({
			status: 'completed',
			download_errors: [{ variant: 'certificate', http_status: 404 }],
		});
	});

	it('ten executions at once fetch files, each answered before; others take their turn', async () => {
		const ids: string[] = [];
		const documents = await forEachOf(12, 1, async (index) => await stage.send(`Doc${index}`));
		for (const document of documents) ids.push((await waitWithFiles(['signed'], document)).id);
		await stage.refuse('/documents/*/files/signed', 429, 100_000);
		for (const document of documents) await stage.sign(document);
		const firstAnswers = () =>
			ids.map((id) => stage.n8n.wakes.find(({ execution }) => execution === id)?.status);
		await stage.eventually('the calls', () => !firstAnswers().includes(undefined) || undefined);
		expect(firstAnswers().sort()).toEqual([...Array<number>(10).fill(200), 409, 409]);
		expect(ids.filter((id) => stage.n8n.outputOf(id))).toEqual([]);

		await stage.sandbox.control.clearFaults();
		for (const id of ids) {
			expect((await stage.goneOn(id)).items.map(filesOf)).toEqual([['signed']]);
			expect(stage.n8n.timesGoneOn(id)).toBe(1);
		}
		const isOfThese = (line: string) => ids.some((id) => line.includes(`execution ${id} `));
		expect(stage.logged.filter(isOfThese)).toEqual([]);
	});
});

describe('Several input items', () => {
	beforeEach(async () => void (await stage.n8n.publish()));

	it('are waited for as one, and returned in their order, each paired', async () => {
		const [first, second] = [await stage.send('First'), await stage.send('Second')];
		const done = await stage.service.complete('Done', ['ada@example.com']);
		const { id } = await stage.n8n.wait(
			{ documentId: FROM_ITEM },
			itemsFor(first, done, second, first),
		);
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
		const documents = await forEachOf(5, 1, async (index) => await stage.send(`Doc${index}`));
		await listIsOld();
		const requests = await stage.requestsDuring(
			async () => await stage.n8n.wait({ documentId: FROM_ITEM }, itemsFor(...documents)),
		);
		expect(requests).toEqual(['GET /webhooks', 'GET /documents']);
	});

	it('with Continue On Fail all fail as one, and each holds its row, if one document does not exist', async () => {
		const items = itemsFor(await stage.send(), { id: 'doc_unknown' });
		const { run } = await stage.n8n.wait({ documentId: FROM_ITEM }, items, {
			onError: 'continueRegularOutput',
		});
		const error = 'There is no such document: doc_unknown';
		expect(run.items).toMatchObject(
			items.map(({ json: { row } }, item) => ({ json: { row, error }, pairedItem: { item } })),
		);
		expect(run.run.data.waitTill).toBeUndefined();
	});
});

describe('Limit Wait Time', () => {
	const limited = async (values: IDataObject) => {
		await stage.n8n.publish();
		const document = await stage.send();
		const options = { limitWaitTime: { values } } as IDataObject;
		const { id } = await stage.n8n.wait(
			{ documentId: FROM_ITEM, options: options as never },
			itemsFor(document),
		);
		return { id, document };
	};

	it('lets the input through as it came when the time is up', async () => {
		const before = Date.now();
		const { id, document } = await limited({
			limitType: 'afterTimeInterval',
			resumeAmount: 2,
			resumeUnit: 'days',
		});
		const until = stage.n8n.limitOf(id)?.getTime() ?? 0;
		expect(until - before).toBeGreaterThanOrEqual(2 * 86_400_000);
		expect(until - before).toBeLessThan(2 * 86_400_000 + 60_000);
		await stage.n8n.timeIsUp(id);
		expect(stage.n8n.outputOf(id)?.items).toMatchObject([
			{ json: { id: document.id, row: document.id } },
		]);
		// Its end concerns nobody any more.
		await stage.sign(document);
		await stage.eventually('the call', () => (stage.n8n.calls.length > 0 ? true : undefined));
		expect(stage.n8n.calls).toMatchObject([{ execution: id, status: 409 }]);
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
	});

	it('takes a date in the timezone of the workflow, and only while that is chosen', async () => {
		const maxDateAndTime = '2031-03-04T05:06:07';
		const { id } = await limited({ limitType: 'atSpecifiedTime', maxDateAndTime });
		// It has the one of n8n, which is that of New York.
		expect(stage.n8n.limitOf(id)).toEqual(new Date('2031-03-04T10:06:07Z'));
		const { id: other } = await limited({ limitType: 'afterTimeInterval', maxDateAndTime });
		expect(stage.n8n.limitOf(other)?.getTime()).toBeLessThan(Date.now() + 8 * 86_400_000);
	});
});
