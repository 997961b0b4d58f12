import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { Document, DocumentStatus, Endpoint, ItemOf, PagedEndpoint, ResponseOf } from '../client';
import { MOST_ENTRIES } from '../service/limits';
import { lookUp, lookUpChosen } from './lookUp';

/** Finds entries of a list, or with `paginationToken` further ones. */
type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** What tells an entry from others: its name, its state, its day, and whom it concerns. */
type LabelOf<Entry> = (entry: Entry) => string[];

/** What the operations that change a document can take; the others take any. */
const TAKEN: ReadonlyArray<[DocumentStatus, readonly string[]]> = [
	['draft', ['send', 'updateFields', 'updateRecipients']],
	['in_progress', ['cancel', 'remind', 'wait', 'createEmbedLink']],
];

/** The documents that the operation can take, by title, with date and recipients. */
export const searchDocuments: Search = async function (filter, paginationToken) {
	const operation = String(this.getCurrentNodeParameter('operation'));
	const [status] = TAKEN.find(([, operations]) => operations.includes(operation)) ?? [];
	const isFirst = (document: Document) => operation === 'download' && document.status === 'completed';
	const asked = { filter, paginationToken, query: { status }, isFirst };
	return await searchPages(this, 'GET /documents', asked, ({ title, recipients, ...document }) => [
		title,
		status ? '' : inWords(document.status),
		dayOf(document),
		recipients.map(({ email }) => email).join(', '),
	]);
};

/** Published templates by name, with their roles and date. */
export const searchTemplates: Search = async function (filter, paginationToken) {
	return await searchPages(this, 'GET /templates', { filter, paginationToken }, ({ name, roles, ...template }) => [
		`${name} (${roles.map(({ role }) => role).join(', ')})`,
		dayOf(template),
	]);
};

/** Webhook endpoints by status and URL: addresses are long, and what tells them apart is at their end. */
export const searchWebhooks: Search = async function (filter) {
	const { data } = await lookUp(this, 'GET /webhooks');
	const labelOf: LabelOf<(typeof data)[0]> = ({ url, status, ...webhook }) => [
		inWords(status),
		dayOf(webhook),
		url.replace(/^https?:\/\//, ''),
	];
	return { results: itemsOf(data, labelOf, filter) };
};

/** The public links of the chosen template by label, with their use and date. */
export const searchTemplateLinks = searchWithin(
	'templateId',
	'GET /templates/{id}/links',
	({ data }) => data,
	({ label, slug, enabled, use_count: used, ...link }) => [
		label ?? slug,
		enabled ? 'enabled' : 'disabled',
		`used ${used} times`,
		dayOf(link),
	],
);

/** The latest deliveries of the chosen webhook by event, with outcome and time. */
export const searchDeliveries = searchWithin(
	'webhookId',
	'GET /webhooks/{id}/deliveries',
	({ data }) => data,
	({ event, attempt, succeeded, response_status: status, created_at }) => [
		event,
		`attempt ${attempt}`,
		succeeded ? 'delivered' : `failed (${status ?? 'no response'})`,
		`${dayOf({ created_at })} ${created_at.slice(11, 19)} UTC`,
	],
	{ limit: MOST_ENTRIES },
);

/** The recipients of the chosen document by name, with email and status. */
export const searchRecipients = searchWithin(
	'documentId',
	'GET /documents/{id}',
	({ recipients }) => recipients,
	({ name, email, status }) => [`${name} <${email}>`, inWords(status)],
);

/** What belongs to the object that another parameter names: nothing while none is chosen. */
function searchWithin<E extends Endpoint, Entry extends { id: string }>(
	parameter: string,
	endpoint: E,
	entriesOf: (found: ResponseOf[E]) => Entry[],
	labelOf: LabelOf<Entry>,
	query?: IDataObject,
): Search {
	return async function (filter) {
		const none = (usedUp?: Error) => {
			// An empty list would say that there is nothing.
			if (usedUp) throw usedUp;
			return [];
		};
		const entries = await lookUpChosen(this, parameter, endpoint, none, entriesOf, query);
		return { results: itemsOf(entries, labelOf, filter) };
	};
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
	asked: { filter?: string; paginationToken?: string; query?: IDataObject; isFirst?: (entry: ItemOf<E>) => boolean },
	labelOf: LabelOf<ItemOf<E>>,
): Promise<INodeListSearchResult> {
	const { filter, query, isFirst = () => false } = asked;
	let cursor = asked.paginationToken;
	for (let page = 1; ; page++) {
		const found = await lookUp(context, endpoint, { query: { ...query, cursor, limit: MOST_ENTRIES } });
		cursor = found.has_more && found.next_cursor !== null ? found.next_cursor : undefined;
		const entries = [...(found.data as Array<ItemOf<E>>)];
		entries.sort((left, right) => Number(isFirst(right)) - Number(isFirst(left)));
		const results = itemsOf(entries, labelOf, filter);
		if (results.length > 0 || cursor === undefined || page === MOST_PAGES) return { results, paginationToken: cursor };
	}
}

/** The entries whose label contains the words, or whose ID they are. */
function itemsOf<Entry extends { id: string }>(
	entries: readonly Entry[],
	labelOf: LabelOf<Entry>,
	filter = '',
): INodeListSearchItems[] {
	const wanted = filter.trim().toLowerCase();
	return entries
		.map((entry) => ({ name: labelOf(entry).filter(Boolean).join(' · '), value: entry.id }))
		.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted);
}

const dayOf = ({ created_at }: { created_at: string }) => created_at.slice(0, 10);

/** `in_progress` and `PUBLISHED` as a person would write them. */
function inWords(status: string): string {
	return status.toLowerCase().replace(/_/g, ' ');
}
