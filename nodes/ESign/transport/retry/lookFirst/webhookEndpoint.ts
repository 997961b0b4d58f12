import type { ApiRequest } from '../../http/address';
import { tellingOrStop } from './lostAnswer';
import { isCandidate, onlyOne, type Reconciler } from './effect';

/**
 * For POST /webhooks: an endpoint with this URL whose create response was lost has a secret that nobody knows and that
 * cannot be read again (docs/service.md section 6, delivery rule 7), so it is deleted before another one is created.
 */
export function webhookEndpointReconciler({ body = {}, itemIndex }: ApiRequest): Reconciler {
	const url = String(body.url ?? '');
	return {
		identity: JSON.stringify(['webhookEndpoint', url]),
		look: async (search) => {
			await tellingOrStop(search, 'whether the webhook endpoint was created is not known', async () => {
				const { data } = await search.ask('GET /webhooks', { itemIndex });
				const found = data.filter((endpoint) => isCandidate(endpoint, search) && sameUrl(endpoint.url, url));
				const orphan = onlyOne(found, search, 'webhook endpoint');
				if (orphan) await search.ask('DELETE /webhooks/{id}', { path: { id: orphan.id }, itemIndex });
			});
			return undefined;
		},
	};
}

function sameUrl(one: string, other: string): boolean {
	try {
		return new URL(one).href === new URL(other).href;
	} catch {
		return one === other;
	}
}
