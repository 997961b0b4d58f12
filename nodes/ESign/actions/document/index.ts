import type { Resource } from '../operation';
import * as cancel from './cancel.operation';
import * as create from './create/create.operation';
import * as createAndSend from './create/createAndSend.operation';
import * as createEmbedLink from './createEmbedLink.operation';
import * as download from './download.operation';
import * as get from './get.operation';
import * as getAll from './find/getAll.operation';
import * as remind from './remind.operation';
import * as send from './send.operation';
import * as updateFields from './updateFields.operation';
import * as updateRecipients from './updateRecipients.operation';
import * as wait from './wait.operation';

export const document = {
	option: { name: 'Document', value: 'document', description: 'A document that goes out for signature' },
	operations: [
		cancel,
		create,
		createAndSend,
		createEmbedLink,
		download,
		get,
		getAll,
		remind,
		send,
		updateFields,
		updateRecipients,
		wait,
	],
	defaultOperation: 'create',
} as const satisfies Resource;
