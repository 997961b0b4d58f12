import type { IDataObject, INodeType } from 'n8n-workflow';
import type { Document, DocumentStatus, Endpoint, Page, ResponseOf, Template } from '../client';
import { MAX_ENTRIES } from '../service/limits';
import { inWords, lookUp, lookUpChosen } from './lookUp';

/** Finds entries of a list, or with a token further ones. */
type ListSearch = NonNullable<NonNullable<INodeType['methods']>['listSearch']>[string];

/** What tells an entry from others: its name, its state, its day, and whom it concerns. */
type LabelOf<Entry> = (entry: Entry) => string;

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

export const searchDocuments: ListSearch = async function (...asked) {
	const operation = String(this.getCurrentNodeParameter('operation'));
	const status = TAKEN[operation];
	const labelOf = ({ title, recipients, ...document }: Document) => {
		const emails = recipients.map(({ email }) => email).join(', ');
		return [title, status ? '' : inWords(document.status), dayOf(document), emails]
			.filter(Boolean)
			.join(' · ');
	};
	const isFirst = (document: Document) =>
		operation === 'download' && document.status === 'completed';
	const readPage = async (query: IDataObject) =>
		await lookUp(this, 'GET /documents', { query: { ...query, status } });
	return await searchPages(readPage, asked, labelOf, isFirst);
};

export const searchTemplates: ListSearch = async function (...asked) {
	const labelOf = ({ name, roles, ...template }: Template) =>
		`${name} (${roles.map(({ role }) => role).join(', ')}) · ${dayOf(template)}`;
	const readPage = async (query: IDataObject) => await lookUp(this, 'GET /templates', { query });
	return await searchPages(readPage, asked, labelOf);
};

/** Addresses are long, and what tells them apart is at their end. */
export const searchWebhooks: ListSearch = async function (filter) {
	const { data } = await lookUp(this, 'GET /webhooks');
	return itemsOf(data, filter, ({ url, status, ...webhook }) => {
		return `${inWords(status)} · ${dayOf(webhook)} · ${url.replace(/^https?:\/\//, '')}`;
	});
};

export const searchTemplateLinks = searchIn(
	'templateId',
	'GET /templates/{id}/links',
	({ data }) => data,
	({ label, slug, enabled, use_count: used, ...link }) =>
		`${label || slug} · ${enabled ? 'enabled' : 'disabled'} · used ${used} times · ${dayOf(link)}`,
);

export const searchDeliveries = searchIn(
	'webhookId',
	'GET /webhooks/{id}/deliveries',
	({ data }) => data,
	({ event, attempt, succeeded, response_status: status, created_at: time }) => {
		const result = succeeded ? 'delivered' : `failed (${status ?? 'no response'})`;
		return `${event} · attempt ${attempt} · ${result} · ${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
	},
	{ limit: MAX_ENTRIES },
);

export const searchRecipients = searchIn(
	'documentId',
	'GET /documents/{id}',
	({ recipients }) => recipients,
	({ name, email, status }) => `${name} <${email}> · ${inWords(status)}`,
);

/** Searches what belongs to the object that another parameter names. */
function searchIn<E extends Endpoint, Entry extends { id: string }>(
	parameter: string,
	endpoint: E,
	entriesOf: (answer: ResponseOf[E]) => readonly Entry[],
	labelOf: LabelOf<Entry>,
	query?: IDataObject,
): ListSearch {
	return async function (filter) {
		const { found, usedUp } = await lookUpChosen(this, parameter, endpoint, query);
		// An empty list would say that there is nothing.
		if (usedUp) throw usedUp;
		return itemsOf(found && entriesOf(found), filter, labelOf);
	};
}

/** A search may read so many pages at a time: ten requests a minute are all that the key has. */
const MAX_PAGES = 3;

/**
 * One page of a list, or with a filter up to three, until there is something to show: the service
 * has no search of its own. The token continues from there, also when nothing was found yet.
 */
async function searchPages<Entry extends { id: string }>(
	readPage: (query: IDataObject) => Promise<Page<Entry>>,
	[filter, cursor]: Parameters<ListSearch>,
	labelOf: LabelOf<Entry>,
	isFirst: (entry: Entry) => boolean = () => false,
): ReturnType<ListSearch> {
	for (let page = 1, token = cursor; ; page++) {
		const found = await readPage({ cursor: token, limit: MAX_ENTRIES });
		const entries = found.data.toSorted(
			(left, right) => Number(isFirst(right)) - Number(isFirst(left)),
		);
		const { results } = itemsOf(entries, filter, labelOf);
		token = found.has_more ? (found.next_cursor ?? undefined) : undefined;
		if (results.length > 0 || token === undefined || page === MAX_PAGES)
			return { results, paginationToken: token };
	}
}

/** The entries whose label contains the words, or whose ID they are. */
function itemsOf<Entry extends { id: string }>(
	entries: readonly Entry[] = [],
	filter = '',
	labelOf: LabelOf<Entry>,
) {
	const wanted = filter.trim().toLowerCase();
	const results = entries
		.map((entry) => ({ name: labelOf(entry), value: entry.id }))
		.filter(
			({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted,
		);
	return { results };
}

const dayOf = ({ created_at }: { created_at: string }) => created_at.slice(0, 10);
