import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { Document, DocumentStatus, Endpoint, ItemOf, PagedEndpoint, ResponseOf, WebhookDelivery } from '../client';
import { MOST_ENTRIES } from '../service/limits';
import { lookUp, lookUpChosen } from './lookUp';

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
	const isSigned = (document: Document) => Number(operation === 'download' && document.status === 'completed');
	return await searchPages(this, 'GET /documents', { filter, paginationToken, query: { status } }, (documents) =>
		[...documents]
			.sort((left, right) => isSigned(right) - isSigned(left))
			.map(({ id: value, title, status: one, created_at, recipients }) => {
				const emails = recipients.map(({ email }) => email).join(', ');
				return { name: labelOf(title, status ? '' : inWords(one), dayOf(created_at), emails), value };
			}),
	);
};

/** Published templates by name, with their roles and date. */
export const searchTemplates: Search = async function (filter, paginationToken) {
	return await searchPages(this, 'GET /templates', { filter, paginationToken }, (templates) =>
		templates.map(({ id: value, name, roles, created_at }) => ({
			name: labelOf(`${name} (${roles.map(({ role }) => role).join(', ')})`, dayOf(created_at)),
			value,
		})),
	);
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
	return await searchWithin(this, 'templateId', 'GET /templates/{id}/links', filter, ({ data }) =>
		data.map(({ id: value, label, slug, enabled, use_count: used, created_at }) => ({
			name: labelOf(label ?? slug, enabled ? 'enabled' : 'disabled', `used ${used} times`, dayOf(created_at)),
			value,
		})),
	);
};

/** The latest deliveries of the chosen webhook by event, with outcome and time. */
export const searchDeliveries: Search = async function (filter) {
	const toItem = ({ id: value, event, attempt, succeeded, response_status: status, created_at }: WebhookDelivery) => {
		const outcome = succeeded ? 'delivered' : `failed (${status ?? 'no response'})`;
		const time = `${dayOf(created_at)} ${created_at.slice(11, 19)} UTC`;
		return { name: labelOf(event, `attempt ${attempt}`, outcome, time), value };
	};
	const latest = { limit: MOST_ENTRIES };
	const endpoint = 'GET /webhooks/{id}/deliveries';
	return await searchWithin(this, 'webhookId', endpoint, filter, ({ data }) => data.map(toItem), latest);
};

/** The recipients of the chosen document by name, with email and status. */
export const searchRecipients: Search = async function (filter) {
	return await searchWithin(this, 'documentId', 'GET /documents/{id}', filter, ({ recipients }) =>
		recipients.map(({ id: value, name, email, status }) => ({
			name: labelOf(`${name} <${email}>`, inWords(status)),
			value,
		})),
	);
};

/** What belongs to the object that another parameter names: nothing while none is chosen. */
async function searchWithin<E extends Endpoint>(
	context: ILoadOptionsFunctions,
	parameter: string,
	endpoint: E,
	filter: string | undefined,
	toItems: (found: ResponseOf[E]) => INodeListSearchItems[],
	query?: IDataObject,
): Promise<INodeListSearchResult> {
	const none = (usedUp?: Error) => {
		// An empty list would say that there is nothing.
		if (usedUp) throw usedUp;
		return [];
	};
	return { results: matching(await lookUpChosen(context, parameter, endpoint, toItems, none, query), filter) };
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
	{ filter, paginationToken, query }: { filter?: string; paginationToken?: string; query?: IDataObject },
	toItems: (entries: Array<ItemOf<E>>) => INodeListSearchItems[],
): Promise<INodeListSearchResult> {
	let cursor = paginationToken;
	for (let page = 1; ; page++) {
		const asked = { query: { ...query, cursor, limit: MOST_ENTRIES } };
		const { data, has_more, next_cursor } = await lookUp(context, endpoint, asked);
		cursor = has_more && next_cursor !== null ? next_cursor : undefined;
		const results = matching(toItems(data as Array<ItemOf<E>>), filter);
		if (results.length > 0 || cursor === undefined || page === MOST_PAGES) return { results, paginationToken: cursor };
	}
}

function matching(items: INodeListSearchItems[], filter = ''): INodeListSearchItems[] {
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
