import { WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type INodeType,
	type ITriggerFunctions,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { ESignTrigger } from '../../nodes/ESign/ESignTrigger.node';
import { memoryOf } from '../../nodes/ESign/webhook/memory';
import { N8n, nodeRun } from '../support/n8n';
import { payloadOf } from './support/deliveries';

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

	it('ends what the trigger does in the background when it closes it', async () => {
		const workflow = triggerWorkflow();
		const [node] = workflow.getTriggerNodes();
		const type: INodeType = new ESignTrigger();
		if (!node || !type.trigger) throw new Error('The node is no trigger');
		const owner = n8n.hookContext(workflow, node.name, { url: 'http://127.0.0.1:5678' });
		const run = memoryOf([owner.getInstanceId(), workflow.id, node.id].join('/')).beginRun();
		const response = await type.trigger.call(owner as unknown as ITriggerFunctions);
		expect(run.stopped).toBe(false);
		await response?.closeFunction?.();
		expect(run.stopped).toBe(true);
	});
});
