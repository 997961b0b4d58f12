import type { INodeParameters } from 'n8n-workflow';
import type * as FastTime from '../support/fastTime';
import { fileFault, sceneForEachTest, type Scene } from '../support/scene';

jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.requireActual<typeof FastTime>('../support/fastTime').fastSleep,
}));

const scene = sceneForEachTest();

let n8n: Scene['n8n'];
let service: Scene['service'];
let sandbox: Scene['sandbox'];
let logged: Scene['logged'];

beforeEach(() => {
	({ n8n, service, sandbox, logged } = scene());
});

const activeWorkflow = async (downloadFiles: string[], parameters: INodeParameters = {}) =>
	await scene().activeWorkflow({ options: { downloadFiles }, ...parameters });

describe('A completed document', () => {
	it('whose files cannot be had now is answered 503, and starts the workflow with them when they can', async () => {
		const { workflow, endpointId } = await activeWorkflow(['signed']);
		await sandbox.control.fault(fileFault('signed', 503, 1_000));
		await service.complete();
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
		await sandbox.control.clearFaults();
		await sandbox.control.advance(5);
		const attempts = (await service.deliveries(endpointId)).filter(({ event }) => event === 'document.completed');
		expect(attempts.map(({ attempt, response_status }) => [attempt, response_status]).sort()).toEqual([
			[1, 503],
			[2, 200],
		]);
		expect(n8n.itemsOf(workflow)).toHaveLength(2);
		expect(Object.keys(n8n.itemsOf(workflow)[1]?.binary ?? {})).toEqual(['signed']);
		expect(logged.join('\n')).toMatch(/is put off until its files can be had/);
	});

	it('whose files cannot be had at the last of three attempts starts the workflow without them', async () => {
		const { workflow, endpointId } = await activeWorkflow(['signed']);
		await sandbox.control.fault(fileFault('signed', 503, 1_000));
		await service.complete();
		await sandbox.control.advance(5);
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
		await sandbox.control.advance(10);
		await sandbox.control.clearFaults();
		const attempts = (await service.deliveries(endpointId)).filter(({ event }) => event === 'document.completed');
		expect(attempts.map(({ attempt, response_status }) => [attempt, response_status]).sort()).toEqual([
			[1, 503],
			[2, 503],
			[3, 200],
		]);
		const item = n8n.itemsOf(workflow)[1];
		expect(item?.json.download_errors).toEqual([expect.objectContaining({ variant: 'signed' })]);
		expect(item?.binary).toEqual({});
	});

	it('that is replayed at a start starts the workflow at once, for a replay may have one attempt only', async () => {
		const { workflow } = await activeWorkflow(['signed']);
		await n8n.kill();
		await service.complete();
		await sandbox.control.advance(60);
		await sandbox.control.fault(fileFault('signed', 503, 1_000));
		await n8n.start();
		await sandbox.control.advance(0);
		await sandbox.control.clearFaults();
		const events = n8n.itemsOf(workflow).map(({ json }) => [json.event, 'download_errors' in json]);
		expect(events).toEqual([
			['document.sent', false],
			['document.completed', true],
		]);
	});

	it('whose files are slow is answered well before the service’s ten seconds are over', async () => {
		const { workflow, endpointId } = await activeWorkflow(['signed']);
		await sandbox.control.fault({
			method: 'GET',
			path: '/documents/*/files/signed',
			when: 'before',
			kind: 'delay',
			delay_ms: 2_000,
			// An attempt of the test before may still be on its way.
			times: 1_000,
		});
		await service.complete();
		const attempts = (await service.deliveries(endpointId)).filter(({ event }) => event === 'document.completed');
		expect(attempts.map(({ response_status }) => response_status)).toEqual([503]);
		expect(n8n.itemsOf(workflow)).toHaveLength(1);
	});
});
