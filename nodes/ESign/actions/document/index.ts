export const option = {
	name: 'Document',
	value: 'document',
	description: 'A document that goes out for signature',
};

export const defaultOperation = 'create';

export * as cancel from './cancel.operation';
export * as create from './create/create.operation';
export * as createAndSend from './create/createAndSend.operation';
export * as createEmbedLink from './createEmbedLink.operation';
export * as download from './download.operation';
export * as get from './get.operation';
export * as getAll from './getAll.operation';
export * as remind from './remind.operation';
export * as send from './send.operation';
export * as updateFields from './updateFields.operation';
export * as updateRecipients from './updateRecipients.operation';
export * as wait from './wait.operation';
