import { binary } from '../../test/support/n8nCore/n8n';
import { eSign } from '../setting/eSign';
import { httpRequest } from '../setting/httpRequest';
import { pdfOfSize } from '../setting/pdf';
import type { ServiceClient } from '../../test/support/serviceClient';
import { contract } from '../setting/template';
import type { ChainNode } from '../setting/workbench';
import type { Job } from './job';

const COUNT = 50;

export const documentsFromPdf: Job = {
	name: `${COUNT} documents from one PDF with fields, sent`,
	minimum: 1 + 3 * COUNT,
	because:
		`one upload, and ${COUNT} times create, set the fields, send: a signature field needs a recipient id, which only the ` +
		'answer to the create call gives, so that no document can be created, filled and sent in fewer than three',
	prepare: async (service) => {
		const file = await binary(
			await pdfOfSize(50_000, 'Agreement'),
			'agreement.pdf',
			'application/pdf',
		);
		return {
			items: Array.from({ length: COUNT }, (_, index) => ({
				json: contract(index),
				binary: { data: file },
			})),
			...documentChains(service),
			outputs: { ours: COUNT, theirs: COUNT },
		};
	},
};

/**
 * A document from the PDF of each item, with a signature field, sent: our node, and what a user
 * would build instead.
 */
export function documentChains(service: ServiceClient): { ours: ChainNode[]; theirs: ChainNode[] } {
	return { ours: [OUR_NODE], theirs: theirChain(service) };
}

const OUR_NODE = eSign('document', 'createAndSend', {
	fileSource: 'binary',
	binaryPropertyNames: 'data',
	recipientsInput: 'form',
	recipients: {
		recipient: [{ name: '={{ $json.name }}', email: '={{ $json.email }}', type: 'signer' }],
	},
	fieldsInput: 'automatic',
	title: '={{ $json.title }}',
});

/** One HTTP Request node per step, each running once per item as n8n's nodes do. */
function theirChain({ url }: ServiceClient): ChainNode[] {
	const item = "$('Items').item.json";
	const field =
		"{ recipientId: $json.recipients[0].id, pageNumber: 1, xNorm: 0.1, yNorm: 0.8, widthNorm: 0.3, heightNorm: 0.06, type: 'SIGNATURE' }";
	return [
		httpRequest('Upload', { method: 'POST', url: `${url}/files`, binaryField: 'data' }),
		httpRequest('Create', {
			method: 'POST',
			url: `${url}/documents`,
			json: `={{ { files: [$json.id], title: ${item}.title, recipients: [{ name: ${item}.name, email: ${item}.email }] } }}`,
		}),
		httpRequest('Set fields', {
			method: 'PUT',
			url: `=${url}/documents/{{ $json.id }}/fields`,
			json: `={{ { fields: [${field}] } }}`,
		}),
		httpRequest('Send', {
			method: 'POST',
			url: `=${url}/documents/{{ $('Create').item.json.id }}/send`,
		}),
	];
}
