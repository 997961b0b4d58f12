import type { ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import { apiRequest, apiRequestPage, type ItemOf, type PagedEndpoint } from '../transport';
import { MOST_ENTRIES } from '../service/limits';
import { chosenId } from './chosen';

/** The largest page the service gives: ten requests a minute are few for someone who scrolls. */
const PAGE_SIZE = MOST_ENTRIES;

/** Documents by title, with status, date and recipients. */
export async function searchDocuments(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPages(this, 'GET /documents', filter, paginationToken, (document) => ({
		name: labelOf(
			document.title,
			document.status,
			document.created_at,
			document.recipients.map(({ email }) => email),
		),
		value: document.id,
	}));
}

/** Published templates by name, with their roles and date. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPages(
		this,
		'GET /templates',
		filter,
		paginationToken,
		({ id, name, status, roles, created_at }) => ({
			name: labelOf(
				name,
				status,
				created_at,
				roles.map(({ role }) => role),
			),
			value: id,
		}),
	);
}

/** Webhook endpoints by status and URL: addresses are long, and what tells them apart is at their end. */
export async function searchWebhooks(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const { data } = await apiRequest(this, 'GET /webhooks');
	const results = data.map(({ id, url, status, created_at }) => ({
		name: `${inWords(status)} · ${created_at.slice(0, 10)} · ${url.replace(/^https?:\/\//, '')}`,
		value: id,
	}));
	return { results: matching(results, filter) };
}

/** The public links of the chosen template by label, with their use and date. */
export async function searchTemplateLinks(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const id = chosenId(this, 'templateId');
	if (id === undefined) return { results: [] };
	const { data } = await apiRequest(this, 'GET /templates/{id}/links', { path: { id } });
	const results = data.map(({ id: link, label, slug, enabled, use_count: used, created_at }) => ({
		name: `${label ?? slug} · ${enabled ? 'enabled' : 'disabled'} · used ${used} times · ${created_at.slice(0, 10)}`,
		value: link,
	}));
	return { results: matching(results, filter) };
}

/** The latest deliveries of the chosen webhook by event, with outcome and time. */
export async function searchDeliveries(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const id = chosenId(this, 'webhookId');
	if (id === undefined) return { results: [] };
	const { data } = await apiRequest(this, 'GET /webhooks/{id}/deliveries', {
		path: { id },
		query: { limit: PAGE_SIZE },
	});
	const results = data.map((delivery) => {
		const { event, attempt, succeeded, response_status: status, created_at } = delivery;
		const outcome = succeeded ? 'delivered' : `failed (${status ?? 'no response'})`;
		const time = `${created_at.slice(0, 10)} ${created_at.slice(11, 19)} UTC`;
		return { name: `${event} · attempt ${attempt} · ${outcome} · ${time}`, value: delivery.id };
	});
	return { results: matching(results, filter) };
}

/** The recipients of the chosen document by name, with email and status. */
export async function searchRecipients(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const id = chosenId(this, 'documentId');
	if (id === undefined) return { results: [] };
	const { recipients } = await apiRequest(this, 'GET /documents/{id}', { path: { id } });
	const results = recipients.map((recipient) => ({
		name: `${recipient.name} <${recipient.email}> · ${inWords(recipient.status)}`,
		value: recipient.id,
	}));
	return { results: matching(results, filter) };
}

/** A search may read so many pages at a time: ten requests a minute are all that the key has. */
const MOST_PAGES = 3;

/**
 * One page of a list, or with a filter up to three, until there is something to show: the service has no search of its own,
 * so the filter applies to what the pages hold. The token goes on from there, also when nothing was found yet.
 */
async function searchPages<E extends PagedEndpoint>(
	context: ILoadOptionsFunctions,
	endpoint: E,
	filter: string | undefined,
	paginationToken: string | undefined,
	toItem: (entry: ItemOf<E>) => INodeListSearchItems,
): Promise<INodeListSearchResult> {
	let cursor = paginationToken;
	const results: INodeListSearchItems[] = [];
	for (let page = 0; page < MOST_PAGES && results.length === 0; page++) {
		const { data, has_more, next_cursor } = await apiRequestPage(context, endpoint, { cursor, limit: PAGE_SIZE });
		results.push(...matching((data as Array<ItemOf<E>>).map(toItem), filter));
		cursor = has_more && next_cursor !== null ? next_cursor : undefined;
		if (cursor === undefined) break;
	}
	return { results, paginationToken: cursor };
}

function matching(items: INodeListSearchItems[], filter = ''): INodeListSearchItems[] {
	const wanted = filter.trim().toLowerCase();
	return items.filter(
		({ name, value }) => name.toLowerCase().includes(wanted) || String(value).toLowerCase() === wanted,
	);
}

/** What tells an entry from others of the same title: its state, its date, and whom it concerns. */
function labelOf(title: string, status: string, createdAt: string, concerned: readonly string[]): string {
	return [title, inWords(status), createdAt.slice(0, 10), concerned.join(', ')].filter(Boolean).join(' · ');
}

/** `in_progress` and `PUBLISHED` as a person would write them. */
function inWords(status: string): string {
	return status.toLowerCase().replace(/_/g, ' ');
}
