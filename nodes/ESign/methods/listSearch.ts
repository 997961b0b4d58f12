import type { IDataObject, ILoadOptionsFunctions, INodeListSearchItems, INodeListSearchResult } from 'n8n-workflow';
import type { Document, DocumentStatus, Endpoint, ItemOf, PagedEndpoint, ResponseOf } from '../client';
import { MOST_ENTRIES } from '../service/limits';
import { inWords, lookUp, lookUpChosen } from './lookUp';

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
export const searchDocuments: Search = async function (filter, cursor) {
	const operation = String(this.getCurrentNodeParameter('operation'));
	const [status] = TAKEN.find(([, operations]) => operations.includes(operation)) ?? [];
	const labelOf = ({ title, recipients, ...document }: Document) => [
		title,
		status ? '' : inWords(document.status),
		dayOf(document),
		recipients.map(({ email }) => email).join(', '),
	];
	const isFirst = (document: Document) => operation === 'download' && document.status === 'completed';
	return await searchPages(this, 'GET /documents', { filter, cursor, query: { status }, labelOf, isFirst });
};

/** Published templates by name, with their roles and date. */
export const searchTemplates: Search = async function (filter, cursor) {
	const labelOf = ({ name, roles, ...template }: ItemOf<'GET /templates'>) => [
		`${name} (${roles.map(({ role }) => role).join(', ')})`,
		dayOf(template),
	];
	return await searchPages(this, 'GET /templates', { filter, cursor, labelOf });
};

/** Webhook endpoints by status and URL: addresses are long, and what tells them apart is at their end. */
export const searchWebhooks: Search = async function (filter) {
	const { data } = await lookUp(this, 'GET /webhooks');
	return itemsOf(data, filter, ({ url, status, ...webhook }) => [
		inWords(status),
		dayOf(webhook),
		url.replace(/^https?:\/\//, ''),
	]);
};

/** The public links of the chosen template by label, with their use and date. */
export const searchTemplateLinks: Search = async function (filter) {
	const found = await chosen(this, 'templateId', 'GET /templates/{id}/links');
	return itemsOf(found?.data, filter, ({ label, slug, enabled, use_count: used, ...link }) => [
		label ?? slug,
		enabled ? 'enabled' : 'disabled',
		`used ${used} times`,
		dayOf(link),
	]);
};

/** The latest deliveries of the chosen webhook by event, with outcome and time. */
export const searchDeliveries: Search = async function (filter) {
	const found = await chosen(this, 'webhookId', 'GET /webhooks/{id}/deliveries', { limit: MOST_ENTRIES });
	return itemsOf(found?.data, filter, ({ event, attempt, succeeded, response_status: status, created_at: time }) => [
		event,
		`attempt ${attempt}`,
		succeeded ? 'delivered' : `failed (${status ?? 'no response'})`,
		`${time.slice(0, 10)} ${time.slice(11, 19)} UTC`,
	]);
};

/** The recipients of the chosen document by name, with email and status. */
export const searchRecipients: Search = async function (filter) {
	const found = await chosen(this, 'documentId', 'GET /documents/{id}');
	return itemsOf(found?.recipients, filter, ({ name, email, status }) => [`${name} <${email}>`, inWords(status)]);
};

/** The object that another parameter names. An empty list would say that there is nothing: while the limit is used up, it throws. */
async function chosen<E extends Endpoint>(
	context: ILoadOptionsFunctions,
	parameter: string,
	endpoint: E,
	query?: IDataObject,
): Promise<ResponseOf[E] | undefined> {
	const { found, usedUp } = await lookUpChosen(context, parameter, endpoint, query);
	if (usedUp) throw usedUp;
	return found;
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
	{ filter, cursor, query, labelOf, isFirst = () => false }: Pages<ItemOf<E>>,
): Promise<INodeListSearchResult> {
	for (let page = 1, token = cursor; ; page++) {
		const found = await lookUp(context, endpoint, { query: { ...query, cursor: token, limit: MOST_ENTRIES } });
		const entries = found.data as Array<ItemOf<E>>;
		const { results } = itemsOf(
			[...entries.filter(isFirst), ...entries.filter((one) => !isFirst(one))],
			filter,
			labelOf,
		);
		token = found.has_more ? (found.next_cursor ?? undefined) : undefined;
		if (results.length > 0 || token === undefined || page === MOST_PAGES) return { results, paginationToken: token };
	}
}

type Pages<Entry> = {
	filter?: string;
	cursor?: string;
	query?: IDataObject;
	labelOf: LabelOf<Entry>;
	/** Entries that come first on their page. */
	isFirst?: (entry: Entry) => boolean;
};

/** The entries whose label contains the words, or whose ID they are. */
function itemsOf<Entry extends { id: string }>(
	entries: readonly Entry[] = [],
	filter = '',
	labelOf: LabelOf<Entry>,
): { results: INodeListSearchItems[] } {
	const wanted = filter.trim().toLowerCase();
	const results = entries
		.map((entry) => ({ name: labelOf(entry).filter(Boolean).join(' · '), value: entry.id }))
		.filter(({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted);
	return { results };
}

const dayOf = ({ created_at }: { created_at: string }) => created_at.slice(0, 10);
