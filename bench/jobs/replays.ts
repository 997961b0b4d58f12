import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { INodeParameters } from 'n8n-workflow';
import { byId, eSign } from '../setting/eSign';
import { httpRequest } from '../setting/httpRequest';
import type { ServiceClient } from '../../test/support/serviceClient';
import { sendTemplate, signerTemplate } from '../setting/template';
import { jsonItems, type ChainNode } from '../setting/workbench';
import type { Job } from './job';

const FAILED = 10;

/**
 * Seconds after which the second and then the third attempt are due (docs/service.md section 6,
 * delivery rule 1).
 */
const RETRIES_AFTER = [5, 10];

export const replays: Job = {
	name: `Replaying ${FAILED} failed deliveries`,
	minimum: 1 + FAILED,
	because:
		'one look at the log, which holds all attempts in one page here, and one replay for each event that never arrived',
	prepare: async (service) => {
		const receiver = new Receiver();
		const url = await receiver.listen();
		const webhook = await service.api<{ id: string }>('POST', '/webhooks', {
			url,
			events: ['document.sent'],
		});
		await failTenOfTwenty(service, receiver);
		return {
			items: jsonItems(1, () => ({ webhookId: webhook.id })),
			ours: [
				eSign('webhookDelivery', 'replayFailed', { webhookId: byId('={{ $json.webhookId }}') }),
			],
			theirs: theirChain(service),
			outputs: { ours: FAILED, theirs: FAILED },
			close: async () => await receiver.close(),
		};
	},
};

/** Every other event fails three times; the ones between keep the endpoint from being disabled. */
async function failTenOfTwenty(service: ServiceClient, receiver: Receiver): Promise<void> {
	const template = await signerTemplate(service);
	for (let index = 0; index < FAILED; index++) {
		receiver.status = 500;
		await sendTemplate(service, template, `Missed ${index}`);
		await service.control.advance(0);
		for (const seconds of RETRIES_AFTER) await service.control.advance(seconds);
		receiver.status = 200;
		await sendTemplate(service, template, `Arrived ${index}`);
		await service.control.advance(0);
	}
}

/** List, split, keep the failures, one per event, replay: the careful user's workflow. */
function theirChain({ url }: ServiceClient): ChainNode[] {
	const failed = {
		leftValue: '={{ $json.succeeded }}',
		operator: { type: 'boolean', operation: 'false', singleValue: true },
	};
	const conditions = {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [{ id: '1', rightValue: '', ...failed }],
		combinator: 'and',
	} as INodeParameters;
	const webhook = `${url}/webhooks/{{ $('Items').first().json.webhookId }}`;
	return [
		httpRequest('Get deliveries', {
			method: 'GET',
			url: `=${webhook}/deliveries`,
			query: { limit: '100' },
		}),
		{ name: 'Split Out', type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'data' } },
		{ name: 'Filter', type: 'n8n-nodes-base.filter', parameters: { conditions } },
		{
			name: 'Remove Duplicates',
			type: 'n8n-nodes-base.removeDuplicates',
			parameters: {
				operation: 'removeDuplicateInputItems',
				compare: 'selectedFields',
				fieldsToCompare: 'event_id',
			},
		},
		httpRequest('Replay', { method: 'POST', url: `=${webhook}/deliveries/{{ $json.id }}/replay` }),
	];
}

/** Answers every delivery with the status set at the time. */
class Receiver {
	status = 200;

	private readonly server: Server = createServer((request, response) => {
		request.resume().on('end', () => response.writeHead(this.status).end());
	});

	async listen(): Promise<string> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}
