import { TriggerContext, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type SchedulingFunctions,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { ESignTrigger } from '../../../nodes/ESign/ESignTrigger.node';
import { thisProcess } from '../../../nodes/ESign/trigger/triggerState';
import { N8n, nodeRun } from '../../../harness/n8nCore/n8n';
import { payloadOf } from '../support/deliveries';
import { captureLog } from '../support/log';

const TYPE = 'n8n-nodes-esign.eSignTrigger';

const n8n = new N8n({ [TYPE]: new ESignTrigger() }, { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_unused' });

function triggerWorkflow(): Workflow {
	return n8n.workflow([{ id: 'node-1', name: 'eSign Trigger', type: TYPE, parameters: { events: ['document.sent'] } }]);
}

/** Starts a workflow as n8n does with what `webhook` returned. */
async function startWith(workflow: Workflow, mode: WorkflowExecuteMode, payload: ReturnType<typeof payloadOf>) {
	const node = workflow.getNode('eSign Trigger');
	if (!node) throw new Error('The workflow has no trigger');
	const runData = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main: [[{ json: payload }]] }, source: null }] },
	});
	const additionalData = n8n['additionalData'](workflow, mode);
	return nodeRun(await new WorkflowExecute(additionalData, mode, runData).processRunExecutionData(workflow), node.name);
}

describe('An event that was received', () => {
	it.each(['webhook', 'manual'] as const)('is the output of the trigger in a %s execution', async (mode) => {
		const payload = payloadOf('document.sent');
		const { items, error } = await startWith(triggerWorkflow(), mode, payload);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([payload]);
	});
});

describe('n8n', () => {
	it('counts the trigger among the nodes that it starts again itself, as 2.41 needs to check it at every start', () => {
		expect(
			triggerWorkflow()
				.getTriggerNodes()
				.map(({ name }) => name),
		).toEqual(['eSign Trigger']);
	});

	/** Runs `trigger` in n8n-core's own context. Returns it with what it put on n8n's schedule. */
	async function start(mode: WorkflowExecuteMode, register?: SchedulingFunctions['registerCron']) {
		const workflow = triggerWorkflow();
		const scheduled: string[] = [];
		const registerCron = register ?? (({ expression }) => void scheduled.push(expression));
		const { node, additionalData } = n8n.hookContext(workflow, 'eSign Trigger', { url: 'http://127.0.0.1:5678' });
		const none = undefined;
		const context = new TriggerContext(workflow, node, additionalData, mode, 'init', none, none, none, {
			registerCron,
		});
		const memory = thisProcess.stateOf(context);
		memory.activation.isOver = true;
		const response = await new ESignTrigger().trigger.call(context);
		return { scheduled, memory, response };
	}

	it('ends what the trigger does in the background when it closes it', async () => {
		const { memory, response, scheduled } = await start('trigger');
		// The hourly look, that after a failure, and the beat that notices a standstill.
		expect(scheduled).toHaveLength(3);
		await response.closeFunction?.();
		// The next activation waits for its own hooks.
		expect(memory.activation.isOver).toBe(false);
	});

	it('has nothing on its schedule for a test run', async () => {
		expect((await start('manual')).scheduled).toEqual([]);
	});

	it('starts the trigger all the same where its schedule is made another way', async () => {
		const logged = captureLog();
		const { response } = await start('trigger', () => {
			throw new Error('Unknown cron format');
		});
		expect(response.closeFunction).toBeDefined();
		await response.closeFunction?.();
		expect(logged).toEqual(['warn: eSign: the hourly check is not possible: Unknown cron format']);
		jest.restoreAllMocks();
	});
});
