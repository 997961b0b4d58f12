import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { DocumentStatus, ItemOf, PagedEndpoint } from '../client';
import { MOST_ENTRIES } from '../service/limits';
import { chosenId } from './chosen';
import { lookUp } from './lookUp';

/** What the operations that change a document can take; the others take any. */
const TAKEN: Record<string, DocumentStatus | undefined> = {
	send: 'draft',
	updateFields: 'draft',
	updateRecipients: 'draft',
	cancel: 'in_progress',
	remind: 'in_progress',
	wait: 'in_progress',
	createEmbedLink: 'in_progress',
};

/** The documents that the operation can take, by title, with date and recipients. */
export async function searchDocuments(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const operation = String(this.getCurrentNodeParameter('operation'));
	const status = TAKEN[operation];
	const pages = { filter, paginationToken, query: { status } };
	const found = await searchPages(this, 'GET /documents', pages, (document) => ({
		name: labelOf(
			document.title,
			...(status ? [] : [inWords(document.status)]),
			dayOf(document.created_at),
			document.recipients.map(({ email }) => email).join(', '),
		),
		value: document.id,
		isSigned: document.status === 'completed',
	}));
	const { results } = found;
	if (operation === 'download') results.sort((left, right) => Number(right.isSigned) - Number(left.isSigned));
	return { ...found, results: results.map(({ name, value }) => ({ name, value })) };
}

/** Published templates by name, with their roles and date. */
export async function searchTemplates(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await searchPages(this, 'GET /templates', { filter, paginationToken }, (template) => {
		const { id, name, roles, created_at } = template;
		return { name: labelOf(`${name} (${roles.map(({ role }) => role).join(', ')})`, dayOf(created_at)), value: id };
	});
}

/** Webhook endpoints by status and URL: addresses are long, and what tells them apart is at their end. */
export async function searchWebhooks(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const { data } = await lookUp(this, 'GET /webhooks');
	const results = data.map(({ id, url, status, created_at }) => ({
		name: `${inWords(status)} · ${dayOf(created_at)} · ${url.replace(/^https?:\/\//, '')}`,
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
	const { data } = await lookUp(this, 'GET /templates/{id}/links', { path: { id } });
	const results = data.map(({ id: link, label, slug, enabled, use_count: used, created_at }) => ({
		name: `${label ?? slug} · ${enabled ? 'enabled' : 'disabled'} · used ${used} times · ${dayOf(created_at)}`,
		value: link,
	}));
	return { results: matching(results, filter) };
}

/** The latest deliveries of the chosen webhook by event, with outcome and time. */
export async function searchDeliveries(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const id = chosenId(this, 'webhookId');
	if (id === undefined) return { results: [] };
	const { data } = await lookUp(this, 'GET /webhooks/{id}/deliveries', {
		path: { id },
		query: { limit: MOST_ENTRIES },
	});
	const results = data.map((delivery) => {
		const { event, attempt, succeeded, response_status: status, created_at } = delivery;
		const outcome = succeeded ? 'delivered' : `failed (${status ?? 'no response'})`;
		const time = `${dayOf(created_at)} ${created_at.slice(11, 19)} UTC`;
		return { name: `${event} · attempt ${attempt} · ${outcome} · ${time}`, value: delivery.id };
	});
	return { results: matching(results, filter) };
}

/** The recipients of the chosen document by name, with email and status. */
export async function searchRecipients(this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
	const id = chosenId(this, 'documentId');
	if (id === undefined) return { results: [] };
	const { recipients } = await lookUp(this, 'GET /documents/{id}', { path: { id } });
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
async function searchPages<E extends PagedEndpoint, Entry extends INodeListSearchItems>(
	context: ILoadOptionsFunctions,
	endpoint: E,
	{ filter, paginationToken, query }: { filter?: string; paginationToken?: string; query?: IDataObject },
	toItem: (entry: ItemOf<E>) => Entry,
): Promise<{ results: Entry[]; paginationToken?: string }> {
	let cursor = paginationToken;
	const results: Entry[] = [];
	for (let page = 0; page < MOST_PAGES && results.length === 0; page++) {
		const asked = { query: { ...query, cursor, limit: MOST_ENTRIES } };
		const { data, has_more, next_cursor } = await lookUp(context, endpoint, asked);
		results.push(...matching((data as Array<ItemOf<E>>).map(toItem), filter));
		cursor = has_more && next_cursor !== null ? next_cursor : undefined;
		if (cursor === undefined) break;
	}
	return { results, paginationToken: cursor };
}

function matching<Entry extends INodeListSearchItems>(items: Entry[], filter = ''): Entry[] {
	const wanted = filter.trim().toLowerCase();
	return items.filter(
		({ name, value }) => name.toLowerCase().includes(wanted) || String(value).toLowerCase() === wanted,
	);
}

/** What tells an entry from others: its name, its state, its day, and whom it concerns. */
function labelOf(...parts: string[]): string {
	return parts.filter(Boolean).join(' · ');
}

const dayOf = (moment: string) => moment.slice(0, 10);

/** `in_progress` and `PUBLISHED` as a person would write them. */
function inWords(status: string): string {
	return status.toLowerCase().replace(/_/g, ' ');
}
