import type { ApiRequest } from '../../call/address';
import type { WebhookEndpoint } from '../../../service/wire';
import { failWith, isCandidate, type Reconciler, type Search } from './search';

/**
 * For POST /webhooks: an endpoint with this URL whose create response was lost has a secret that nobody knows and that
 * cannot be read again (docs/service.md section 6, delivery rule 7), so it is deleted before another one is created.
 */
export function webhookEndpointReconciler({ body = {}, itemIndex }: ApiRequest): Reconciler<WebhookEndpoint> {
	const url = String(body.url ?? '');
	const discard = async (search: Search, { id }: WebhookEndpoint): Promise<void> => {
		await failWith(
			search,
			`the webhook endpoint ${id}, whose signing secret nobody knows, could not be deleted`,
			async () => {
				await search.ask('DELETE /webhooks/{id}', { path: { id }, itemIndex, mayBeDone: true });
			},
		);
	};
	return {
		alike: JSON.stringify(['webhookEndpoint', spelt(url)]),
		thing: 'webhook endpoint',
		find: async (search) => {
			const { data } = await search.ask('GET /webhooks', { itemIndex });
			return data.filter((endpoint) => isCandidate(endpoint, search) && sameUrl(endpoint.url, url));
		},
		adopt: async (search, orphan) => {
			await discard(search, orphan);
			return undefined;
		},
		discard,
	};
}

const sameUrl = (one: string, other: string) => spelt(one) === spelt(other);

/** A URL as the service may give it back. */
const spelt = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
