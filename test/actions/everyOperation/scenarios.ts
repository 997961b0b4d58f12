import type { ServiceClient } from '../../../harness/serviceClient';
import type { ApiRequest, Endpoint } from '../../../nodes/ESign/client';
import { ROLES } from '../../client/support/samples';

const PEOPLE = [
	{ name: 'Ada', email: 'ada@example.com', pin: '7788' },
	{ name: 'Ben', email: 'ben@example.com', type: 'cc' },
];

const EMAILS = ['ada@example.com', 'ben@example.com'];

const TEMPLATE = 'Mutual NDA';

type Prepare = (service: ServiceClient) => Promise<Pick<ApiRequest, 'path' | 'body'>>;

const nothing: Prepare = async () => ({});
const template: Prepare = async (service) => ({ path: { id: await service.template(TEMPLATE) } });
const draft: Prepare = async (service) => ({ path: { id: (await service.draft('Prepared', EMAILS)).id } });
const sent: Prepare = async (service) => ({ path: { id: (await service.send('Prepared', EMAILS)).id } });
const endpoint: Prepare = async (service) => ({
	path: { id: (await service.addEndpoint('https://127.0.0.1:9/prepared')).id },
});
const link: Prepare = async (service) => ({
	path: { linkId: (await service.addLink(await service.template(TEMPLATE))).id },
});

/** What each endpoint is called with, made ready at the service. */
export const SCENARIOS: Record<Endpoint, Prepare> = {
	'GET /account': nothing,
	'GET /templates': nothing,
	'GET /templates/{id}': template,
	'POST /templates/{id}/send': async (service) => ({
		...(await template(service)),
		body: { recipients: ROLES, embed: { expires_in: 600 } },
	}),
	'POST /files': nothing,
	'GET /documents': draft,
	'POST /documents': async (service) => ({ body: { files: [(await service.upload()).id], recipients: PEOPLE } }),
	'GET /documents/{id}': draft,
	'POST /documents/{id}/send': draft,
	'POST /documents/{id}/cancel': sent,
	'POST /documents/{id}/remind': sent,
	'PUT /documents/{id}/recipients': async (service) => ({
		...(await draft(service)),
		body: { recipients: [{ name: 'Cem', email: 'cem@example.com' }] },
	}),
	'PUT /documents/{id}/fields': draft,
	'GET /documents/{id}/files/{variant}': async (service) => {
		const { path } = await draft(service);
		return { path: { ...path, variant: 'original' } };
	},
	'POST /documents/{id}/recipients/{recipientId}/embed-link': async (service) => {
		const { id, recipients } = await service.send('Prepared', EMAILS);
		return { path: { id, recipientId: recipients[0]?.id ?? '' }, body: { expires_in: 60 } };
	},
	'POST /templates/{id}/links': async (service) => {
		const id = await service.template(TEMPLATE);
		return { path: { id }, body: await service.linkBody(id, 'Matrix') };
	},
	'GET /templates/{id}/links': async (service) => {
		await link(service);
		return await template(service);
	},
	'GET /template-links/{linkId}': link,
	'POST /template-links/{linkId}/rotate': link,
	'DELETE /template-links/{linkId}': link,
	'POST /webhooks': async () => ({
		body: { url: 'https://127.0.0.1:9/matrix', events: ['document.sent', 'document.completed'] },
	}),
	'GET /webhooks': endpoint,
	'DELETE /webhooks/{id}': endpoint,
	'GET /webhooks/{id}/deliveries': endpoint,
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': async (service) => {
		const { path } = await endpoint(service);
		await sent(service);
		await service.control.advance(30);
		const [delivery] = await service.deliveries(path?.id ?? '');
		return { path: { ...path, deliveryId: delivery?.id ?? '' } };
	},
};

/** All that the service holds and a call may have changed, read back plainly: the same after one success, however it came about. */
export async function holdings(service: ServiceClient) {
	const links = await service.list(`/templates/${await service.template(TEMPLATE)}/links`);
	const documents = (await service.documents()).map(({ title, status, recipients }) => ({
		title,
		status,
		people: recipients.map(({ name, email }) => `${name} ${email}`),
	}));
	return {
		documents,
		links: links.map(({ label, max_uses: uses }) => [label, uses]),
		endpoints: (await service.endpoints()).map(({ url, status }) => [url, status]),
	};
}
