import { contract, eSignTemplateSend, httpTemplateSend, signerTemplate } from '../setting/template';
import { jsonItems } from '../setting/workbench';
import type { Job } from './job';

const COUNT = 50;

export const templateSends: Job = {
	name: `${COUNT} template sends`,
	minimum: COUNT,
	because: 'every send is a request of its own',
	prepare: async (service) => {
		const template = await signerTemplate(service);
		return {
			items: jsonItems(COUNT, contract),
			ours: [eSignTemplateSend(template)],
			theirs: [httpTemplateSend(service, template)],
			outputs: { ours: COUNT, theirs: COUNT },
		};
	},
};
