import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { DocumentStatus, ItemOf, PagedEndpoint } from '../client';
import { MOST_ENTRIES } from '../service/limits';
import { chosenId, lookUp } from './lookUp';

/** Finds entries of a list, or with `paginationToken` further ones. */
type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

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
export const searchDocuments: Search = async function (filter, paginationToken) {
	const operation = String(this.getCurrentNodeParameter('operation'));
	const status = TAKEN[operation];
	const pages = { filter, paginationToken, query: { status } };
	const found = await searchPages(this, 'GET /documents', pages, (document) => ({
		name: labelOf(
			document.title,
			status ? '' : inWords(document.status),
			dayOf(document.created_at),
			document.recipients.map(({ email }) => email).join(', '),
		),
		value: document.id,
		isSigned: document.status === 'completed',
	}));
	const { results } = found;
	if (operation === 'download') results.sort((left, right) => Number(right.isSigned) - Number(left.isSigned));
	return { ...found, results: results.map(({ name, value }) => ({ name, value })) };
};

/** Published templates by name, with their roles and date. */
export const searchTemplates: Search = async function (filter, paginationToken) {
	return await searchPages(this, 'GET /templates', { filter, paginationToken }, ({ id, name, roles, created_at }) => ({
		name: labelOf(`${name} (${roles.map(({ role }) => role).join(', ')})`, dayOf(created_at)),
		value: id,
	}));
};

/** Webhook endpoints by status and URL: addresses are long, and what tells them apart is at their end. */
export const searchWebhooks: Search = async function (filter) {
	const { data } = await lookUp(this, 'GET /webhooks');
	const results = data.map(({ id, url, status, created_at }) => ({
		name: labelOf(inWords(status), dayOf(created_at), url.replace(/^https?:\/\//, '')),
		value: id,
	}));
	return { results: matching(results, filter) };
};

/** The public links of the chosen template by label, with their use and date. */
export const searchTemplateLinks: Search = async function (filter) {
	return await searchWithin(this, 'templateId', filter, async (id) => {
		const { data } = await lookUp(this, 'GET /templates/{id}/links', { path: { id } });
		return data.map(({ id: value, label, slug, enabled, use_count: used, created_at }) => ({
			name: labelOf(label ?? slug, enabled ? 'enabled' : 'disabled', `used ${used} times`, dayOf(created_at)),
			value,
		}));
	});
};

/** The latest deliveries of the chosen webhook by event, with outcome and time. */
export const searchDeliveries: Search = async function (filter) {
	return await searchWithin(this, 'webhookId', filter, async (id) => {
		const latest = { path: { id }, query: { limit: MOST_ENTRIES } };
		const { data } = await lookUp(this, 'GET /webhooks/{id}/deliveries', latest);
		return data.map(({ id: value, event, attempt, succeeded, response_status: status, created_at }) => {
			const outcome = succeeded ? 'delivered' : `failed (${status ?? 'no response'})`;
			const time = `${dayOf(created_at)} ${created_at.slice(11, 19)} UTC`;
			return { name: labelOf(event, `attempt ${attempt}`, outcome, time), value };
		});
	});
};

/** The recipients of the chosen document by name, with email and status. */
export const searchRecipients: Search = async function (filter) {
	return await searchWithin(this, 'documentId', filter, async (id) => {
		const { recipients } = await lookUp(this, 'GET /documents/{id}', { path: { id } });
		return recipients.map(({ id: value, name, email, status }) => ({
			name: labelOf(`${name} <${email}>`, inWords(status)),
			value,
		}));
	});
};

/** What belongs to the object that another parameter names: nothing while none is chosen. */
async function searchWithin(
	context: ILoadOptionsFunctions,
	parameter: string,
	filter: string | undefined,
	read: (id: string) => Promise<INodeListSearchItems[]>,
): Promise<INodeListSearchResult> {
	const id = chosenId(context, parameter);
	return { results: id === undefined ? [] : matching(await read(id), filter) };
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
