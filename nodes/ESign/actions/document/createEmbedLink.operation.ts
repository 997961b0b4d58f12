import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { embedOptionProperties, readEmbedOptions } from '../../parameters/embedOptions';
import { givenParameter } from '../../parameters/checks/given';
import { documentLocator, idParameter, recipientLocator } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { Problems } from '../../parameters/checks/problems';
import { saidOfDocument } from './saidOfDocument';
import { apiRequest } from '../../client';

export const option = {
	name: 'Create Embed Link',
	value: 'createEmbedLink',
	action: 'Create embed link for recipient',
	description:
		'Get a short-lived URL with which one recipient signs inside your own application. The document must be in progress. Whoever has the URL can sign as this person, so do not share it.',
} as const satisfies OperationOption;

const additionalFields: INodeProperties = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add Field',
	default: {},
	options: embedOptionProperties,
};

export const description: INodeProperties[] = [documentLocator, recipientLocator, additionalFields];

/** POST /documents/{id}/recipients/{recipientId}/embed-link; not kept for retries, as it expires within the hour. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const id = idParameter(this, itemIndex, documentLocator);
	const recipientId = idParameter(this, itemIndex, recipientLocator);
	const given = givenParameter(this, itemIndex, additionalFields.name);
	const body = readEmbedOptions(given, additionalFields.displayName, problems);
	problems.throwIfAny(this, itemIndex);
	const request = { path: { id, recipientId }, ...(Object.keys(body).length > 0 && { body }), itemIndex };
	const create = async () =>
		await apiRequest(this, 'POST /documents/{id}/recipients/{recipientId}/embed-link', request);
	const link = await saidOfDocument(this, itemIndex, id, create);
	return outputItems({ document_id: id, recipient_id: recipientId, ...link });
}
