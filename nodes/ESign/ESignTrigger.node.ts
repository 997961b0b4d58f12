import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';
import { downloadFiles, optionsOf } from './operation';
import { EVENTS } from './service/events';
import { runEvents } from './trigger/delivery/runEvents';
import { receiveDelivery } from './trigger/delivery/receive';
import { activate, remove } from './trigger/endpoint/hooks';
import { watchEndpoint } from './trigger/endpoint/watch';

/**
 * Named, because n8n's two lint plugins want it written in place in ways that exclude each other.
 */
const main = [NodeConnectionTypes.Main];

/**
 * An expression for the events chosen. For lack of room on the canvas, two are named without
 * Document or Recipient, and more are counted.
 */
function eventsSubtitle(): string {
	const names = Object.fromEntries(Object.entries(EVENTS).map(([value, [name]]) => [value, name]));
	const chosen = '$parameter["events"]';
	return `={{ ${chosen}.length > 2 ? ${chosen}.length + " events" : ${chosen}.map((event) => (${JSON.stringify(names)})[event]).map((name) => ${chosen}.length > 1 ? name.split(" ")[1] : name).join(", ") }}`;
}

/** Starts a workflow when something happens to a document (docs/service.md section 6). */
export class ESignTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'eSign Trigger',
		name: 'eSignTrigger',
		icon: { light: 'file:esign.svg', dark: 'file:esign.dark.svg' },
		group: ['trigger'],
		// Not 1: n8n evaluates `options.binaryData`, which this node does not have, for every request
		// to a webhook node of version 1 exactly: tens of milliseconds each (webhook-helpers.js,
		// parseRequestBody).
		version: 1.1,
		subtitle: eventsSubtitle(),
		description:
			'Send documents for signature; start workflows when they are viewed, signed, completed or declined',
		eventTriggerDescription: 'Waiting for an event of a document in eSign',
		activationMessage:
			'The trigger has registered its own webhook with the service. Events missed while n8n is down run when it comes back.',
		defaults: { name: 'eSign Trigger' },
		inputs: [],
		outputs: main,
		credentials: [{ name: 'eSignApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// What the service's delivery log shows of an accepted event.
				responseData: 'Accepted: the workflow was started',
				path: 'webhook',
				// The trigger registers its URL itself: there is nothing to paste anywhere.
				ndvHideUrl: true,
			},
		],
		triggerPanel: {
			header: 'Start this workflow from an eSign event',
			executionsHelp: {
				inactive:
					"<b>To test:</b> click 'Execute step', then cause one of the events selected under Trigger On: send a document, open it as its recipient, sign, decline or cancel it, with the same kind of key (test or live). An expiry takes days: to test it, replay an earlier one with the eSign node (<i>Webhook Delivery &gt; Replay</i>). The trigger registers a webhook of its own for two minutes, and needs one of the five webhook slots to be free.<br /><br /><b>To use it for real:</b> publish (activate) the workflow. It then runs for every event, and you find the runs under <a data-key='executions'>Executions</a>.",
				active:
					"<b>While you work on this node</b>, 'Execute step' gives you events here without disturbing the active workflow, which gets them as well.<br /><br /><b>An event is missing?</b> Use the eSign node: <i>Webhook Delivery &gt; Get Many</i> shows every attempt with the answer that this n8n gave, and <i>Replay</i> sends one again. The runs are listed under <a data-key='executions'>Executions</a>.",
			},
			activationHint: {
				inactive:
					'Publish (activate) the workflow to receive every event without this window being open.',
				active:
					'This workflow receives events by itself. Replay a delivery with the eSign node to run it again; within five minutes the same event is ignored as a duplicate.',
			},
		},
		properties: [
			{
				displayName: 'Trigger On',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: [],
				options: optionsOf(EVENTS),
				description: 'Events that start the workflow. Choose at least one.',
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					{
						displayName: 'Deduplicate',
						name: 'deduplicate',
						type: 'boolean',
						default: true,
						description:
							'Whether to ignore an event that was accepted within the last five minutes already, as when an answer was lost. A later replay starts the workflow again.',
					},
					downloadFiles.property,
					{
						displayName: 'Recover Missed Events',
						name: 'recoverMissed',
						type: 'boolean',
						default: true,
						description:
							'Whether to run the events that the service could not deliver: at each start of n8n, once an hour, and soon after a delivery has failed',
					},
				],
			},
		],
	};

	webhookMethods = {
		default: {
			/** In one step, so that what is made goes by what the service has just said. */
			async checkExists(this: IHookFunctions): Promise<boolean> {
				await activate(this);
				return true;
			},
			/** Never called: the endpoint exists once `checkExists` has ended. */
			async create(this: IHookFunctions): Promise<boolean> {
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				await remove(this);
				return true;
			},
		},
	};

	/**
	 * The events come in by `webhook`; here the endpoint is looked after while n8n runs. And n8n 2.41
	 * runs `checkExists` at its start only for nodes that live in its memory, which is what having
	 * this method makes of a node (WorkflowPublicationReconciler and
	 * WorkflowTriggerActivator.getTriggerKinds); a node with webhooks only is taken from the database
	 * as it was left, and what it missed while n8n was down would never be fetched.
	 */
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return watchEndpoint(this);
	}

	/** The item that `webhook` gave, with its files; none for an event that ran before. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runEvents(this)];
	}

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}
}
