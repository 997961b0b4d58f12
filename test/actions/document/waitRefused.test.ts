import { N8n } from '../../support/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { ENDING_EVENTS } from '../../../nodes/ESign/service/ending';
import { type Message, messageKey, newMessage, seal } from '../../../nodes/ESign/messages/message';
import { WAKE_PATH } from '../../../nodes/ESign/waiting/wakeUrl';
import { deliver } from '../../trigger/support/deliveries';
import { storedWaits, WaitStage } from '../support/waitStage';
import { byId } from '../support/workbench';

const stage = new WaitStage();

describe('Before anything waits, it fails', () => {
	const failure = async (documentId: string) =>
		(await stage.n8n.wait({ documentId: byId(documentId) })).run.error;

	it('if there is no active trigger, and says what to publish', async () => {
		const { id } = await stage.send();
		const error = await failure(id);
		expect(error?.message).toBe('No active eSign Trigger of this n8n can wake the execution');
		expect(error?.description).toContain(
			'Publish (activate) a workflow in this n8n with an eSign Trigger',
		);
	});

	it('if the trigger does not have the four events, and names those that it lacks', async () => {
		await stage.n8n.publish(['document.completed', 'document.declined', 'recipient.signed']);
		const { id } = await stage.send();
		expect((await failure(id))?.description).toContain(
			'does not listen for Document Cancelled, Document Expired',
		);
	});

	it('if the only trigger is at another address, and says what this process takes for its own', async () => {
		const other = await stage.startN8n();
		await other.publish();
		const { id } = await stage.send();
		const error = await failure(id);
		expect(error?.message).toBe('The eSign Trigger cannot be reached from this n8n process');
		expect(error?.description).toContain(`only at ${other.trigger.publicUrl}`);
		expect(error?.description).toContain(
			`This process takes ${stage.n8n.trigger.publicUrl} for the address of n8n`,
		);
		expect(error?.description).toContain('set WEBHOOK_URL');
		await other.end();
	});

	it('if something in front of n8n answers in the place of its trigger', async () => {
		const workflow = await stage.n8n.publish();
		const { id } = await stage.send();
		workflow.active = false;
		const error = await failure(id);
		workflow.active = true;
		expect(error?.message).toBe('The eSign Trigger cannot be reached from this n8n process');
		expect(error?.description).toContain('NO_PROXY');
		expect(error?.description).toContain('answered 404, and not as this n8n would');
		expect(error?.description).not.toContain('Publish');
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

	it('if what stands in front of n8n lets in its webhooks alone, and names the address', async () => {
		await stage.n8n.publish();
		stage.n8n.trigger.otherwise = async (_request, response) =>
			void response.status(403).send('Forbidden');
		const error = await failure((await stage.send()).id);
		expect(error?.message).toBe('n8n cannot be reached where it wakes waiting executions');
		expect(error?.description).toContain('Let requests to /webhook-waiting/ through');
		expect(error?.description).toContain(
			`${stage.n8n.trigger.publicUrl}/webhook-waiting/ answered 403`,
		);
	});

	it('if the trigger only listens for a test event', async () => {
		const workflow = stage.n8n.trigger.add({ events: [...ENDING_EVENTS] });
		await stage.n8n.trigger.listen(workflow);
		const { id } = await stage.send();
		expect((await failure(id))?.message).toContain('No active eSign Trigger of this n8n can wake');
		await stage.n8n.trigger.stopListening(workflow);
	});

	it('if a model uses it as a tool', async () => {
		await stage.n8n.publish();
		const type = 'n8n-nodes-esign.eSignTool';
		const tool = new N8n(
			{ [type]: new ESign() },
			{ baseUrl: stage.sandbox.url, apiKey: stage.sandbox.keys.test },
		);
		const parameters = {
			resource: 'document',
			operation: 'wait',
			documentId: byId((await stage.send()).id),
		};
		const { error } = await tool.runNode(type, {
			parameters,
			publicUrl: stage.n8n.trigger.publicUrl,
		});
		expect(error?.message).toBe('A tool cannot wait for documents');
	});

	it('if a document does not exist, and the trigger forgets the execution', async () => {
		const workflow = await stage.n8n.publish();
		const error = await failure('doc_unknown');
		expect(error?.httpCode).toBe('404');
		expect(storedWaits(workflow)).toEqual({});
	});
});

describe('A wake-up that is none', () => {
	async function call(id: string, body: unknown): Promise<number> {
		const url = `${stage.n8n.trigger.publicUrl}/webhook-waiting/${id}/${WAKE_PATH}`;
		return (await deliver(url, JSON.stringify(body), {})).status;
	}
	const sealed = (key: string, content: Partial<Message> = {}) => ({
		sealed: seal({ ...newMessage(), ...content }, messageKey(key)),
	});

	async function asleep() {
		const workflow = await stage.n8n.publish();
		const { document, id } = await stage.asleep();
		const [wait] = Object.values(storedWaits(workflow));
		return { id, document, key: String(wait?.id) };
	}

	it.each<[string, number, (key: string) => unknown]>([
		['is not sealed', 401, (key) => ({ wake: key })],
		['is empty', 401, () => ({})],
		['is sealed with another key, or is for another wait', 401, () => sealed('other')],
	])('wakes nobody, and costs no request: it %s', async (_what, status, bodyOf) => {
		const { id, key } = await asleep();
		const requests = await stage.requestsDuring(async () =>
			expect(await call(id, bodyOf(key))).toBe(status),
		);
		expect(requests).toEqual([]);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
	});

	it('is not believed while the document is open, though it is heard, also where it was made long ago', async () => {
		const { id, key } = await asleep();
		expect(await call(id, sealed(key, { at: 0 }))).toBe(200);
		expect(stage.n8n.outputOf(id)).toBeUndefined();
	});

	it('that comes twice lets the execution resume once', async () => {
		const { id, document, key } = await asleep();
		const path = `/documents/${document.id}`;
		const slow = { when: 'before', kind: 'delay', delay_ms: 200, times: 5 } as const;
		await stage.sandbox.control.fault({ method: 'GET', path, ...slow });
		await stage.service.api('POST', `/documents/${document.id}/cancel`);
		const statuses = await Promise.all([1, 2, 3].map(async () => await call(id, sealed(key))));
		await stage.goneOn(id);
		expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
		expect(stage.n8n.timesGoneOn(id)).toBe(1);
		expect([404, 409]).toContain(await call(id, sealed(key)));
	});

	it('that cannot ask the service leaves it asleep, and it is woken when the service answers', async () => {
		const { id, document } = await asleep();
		await stage.refuse(`/documents/${document.id}`, 403);
		await stage.sign(document);
		await stage.eventually('the refused call', () =>
			stage.n8n.calls.find(({ status }) => status === 503),
		);
		expect((await stage.goneOn(id)).items).toMatchObject([{ json: { status: 'completed' } }]);
		expect(stage.logged.join('\n')).toContain('could not ask the service');
	});
});
