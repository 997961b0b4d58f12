import type { INode, INodeParameters } from 'n8n-workflow';
import { chain, eSign, node } from '../../e2e/support/nodes';
import { EVERY_EVENT } from '../../e2e/trigger/support/stories';
import type { N8nServer } from '../../support/n8nServer/server';
import type { WorkflowFile } from '../../support/n8nServer/apiClient';

/**
 * The workflows under soak. The keys of `byWebhook` are started by the soak, those of `byEvent` by
 * the service.
 */
export const BY_WEBHOOK = ['create', 'template', 'bulk', 'remind', 'list', 'reconcile'] as const;
export const BY_EVENT = ['everyEvent', 'fileCompleted'] as const;

export type WebhookWorkflow = (typeof BY_WEBHOOK)[number];
export type EventWorkflow = (typeof BY_EVENT)[number];
export type WorkflowName = WebhookWorkflow | EventWorkflow;

/** The node whose output the books look at. */
export const WORK_NODE = 'eSign';
export const WEBHOOK_NODE = 'Webhook';
export const TRIGGER_NODE = 'eSign Trigger';

/** Events that start each of the triggers' workflows. */
export const EVENTS_OF: Record<EventWorkflow, readonly string[]> = {
	everyEvent: EVERY_EVENT,
	fileCompleted: ['document.completed'],
};

/**
 * Which API key a workflow's credential holds: a key each, so that the rate limit of one does not
 * hold up the others.
 */
export const KEY_OF: Record<WorkflowName, string> = {
	create: 'create',
	template: 'template',
	bulk: 'bulk',
	remind: 'follow-up',
	list: 'follow-up',
	reconcile: 'triggers',
	everyEvent: 'triggers',
	fileCompleted: 'files',
};

/** Where a workflow of `BY_WEBHOOK` listens, under n8n's `/webhook/`. */
export const pathOf = (name: WebhookWorkflow): string => `soak-${name}`;

/** A recipient per role of the template under soak, as every job names them in its body. */
const TEMPLATE_SEND: INodeParameters = {
	resource: 'template',
	operation: 'send',
	recipientsInput: 'json',
	recipientsJson: '={{ $json.recipients ?? $json.body.recipients }}',
	additionalFields: { title: '={{ $json.title ?? $json.body.title }}' },
};

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

function nodesOf(name: WorkflowName, credentialId: string, templateId: string): INode[] {
	const work = (parameters: INodeParameters, nodeName = WORK_NODE) =>
		eSign(nodeName, 'eSign', credentialId, parameters);
	const template = work({ ...TEMPLATE_SEND, templateId: byId(templateId) });
	switch (name) {
		case 'create':
			return [
				webhook(name),
				work({
					resource: 'document',
					operation: 'createAndSend',
					fileSource: 'binary',
					binaryPropertyNames: 'contract',
					recipientsInput: 'json',
					recipientsJson: '={{ $json.body.recipients }}',
					fieldsInput: 'automatic',
					automatic: {},
					title: '={{ $json.body.title }}',
				}),
			];
		case 'template':
			return [webhook(name), template];
		case 'bulk':
			return [
				webhook(name),
				node('Each contract', 'n8n-nodes-base.splitOut', {
					fieldToSplitOut: 'body.contracts',
					options: {},
				}),
				template,
			];
		case 'remind':
			return [
				webhook(name),
				work({
					resource: 'document',
					operation: 'remind',
					documentId: byId('={{ $json.body.document }}'),
				}),
			];
		case 'list':
			return [
				webhook(name),
				work({ resource: 'document', operation: 'getAll', returnAll: true, filters: {} }),
			];
		case 'reconcile':
			return [
				webhook(name),
				work({ resource: 'webhook', operation: 'getAll', returnAll: true }, 'Webhooks'),
				work({
					resource: 'webhookDelivery',
					operation: 'replayFailed',
					webhookId: byId('={{ $json.id }}'),
				}),
			];
		case 'everyEvent':
			return [trigger(name, credentialId)];
		case 'fileCompleted':
			return [
				trigger(name, credentialId),
				work({
					resource: 'document',
					operation: 'download',
					documentId: byId('={{ $json.document.id }}'),
					variants: ['signed', 'certificate'],
					binaryPropertyName: 'data',
				}),
			];
	}
}

function webhook(name: WebhookWorkflow): INode {
	const path = pathOf(name);
	const parameters = { path, httpMethod: 'POST', options: {} };
	return node(WEBHOOK_NODE, 'n8n-nodes-base.webhook', parameters, {
		typeVersion: 2,
		webhookId: path,
	});
}

function trigger(name: EventWorkflow, credentialId: string): INode {
	return eSign(TRIGGER_NODE, 'eSignTrigger', credentialId, {
		events: [...EVENTS_OF[name]],
		options: {},
	});
}

/**
 * Publishes all of them.
 *
 * @param credentials ids by the names of `KEY_OF`
 * @returns n8n's workflow ids
 */
export async function publishWorkflows(
	{ api }: N8nServer,
	credentials: Record<string, string>,
	templateId: string,
): Promise<Record<WorkflowName, string>> {
	const ids: Partial<Record<WorkflowName, string>> = {};
	for (const name of [...BY_EVENT, ...BY_WEBHOOK]) {
		const file: WorkflowFile = chain(
			`Soak: ${name}`,
			nodesOf(name, credentials[KEY_OF[name]] ?? '', templateId),
		);
		const { id } = await api.createWorkflow(file);
		await api.publish(id);
		ids[name] = id;
	}
	return ids as Record<WorkflowName, string>;
}
