import { byId, eSign } from '../setting/eSign';
import { httpRequest } from '../setting/httpRequest';
import { forEachOf, type ServiceClient } from '../../test/support/serviceClient';
import { sendTemplate, signerTemplate } from '../setting/template';
import { jsonItems, type ChainNode } from '../setting/workbench';
import type { Job } from './job';

const COUNT = 20;

export const downloads: Job = {
	name: `Signed PDF and certificate of ${COUNT} documents`,
	minimum: 2 * COUNT,
	because:
		"each file has a download URL of its own; fetching the file behind it is no request to the API and isn't counted",
	prepare: async (service) => {
		const template = await signerTemplate(service);
		const documents = await forEachOf(COUNT, 2, async (index) => {
			const document = await sendTemplate(service, template, `Signed ${index}`);
			for (const { id } of document.recipients) await service.control.sign(id);
			return document;
		});
		return {
			items: jsonItems(COUNT, (index) => ({ documentId: documents[index]?.id })),
			ours: [
				eSign('document', 'download', {
					documentId: byId('={{ $json.documentId }}'),
					variants: ['signed', 'certificate'],
				}),
			],
			theirs: [...theirFile(service, 'signed'), ...theirFile(service, 'certificate')],
			// A chain of HTTP Request nodes hands on the last file only.
			outputs: { ours: 2 * COUNT, theirs: COUNT },
		};
	},
};

function theirFile({ url }: ServiceClient, variant: string): ChainNode[] {
	const address = `${url}/documents/{{ $('Items').item.json.documentId }}/files/${variant}`;
	return [
		httpRequest(`Address of ${variant}`, { method: 'GET', url: `=${address}` }),
		httpRequest(`Download ${variant}`, {
			method: 'GET',
			url: '={{ $json.url }}',
			withoutKey: true,
			options: { response: { response: { responseFormat: 'file' } } },
		}),
	];
}
