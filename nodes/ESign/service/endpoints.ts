import type { Page, ResponseOf } from './wire';

/**
 * What may follow a request whose outcome is unknown: a 5xx, a timeout, a broken
 * connection, an unreadable answer. (A 429 was certainly not carried out, and is always sent
 * again.) client/retry/callWithRetry.ts acts by it.
 *
 * - `again`: repeating it changes nothing, or leaves a `spare` that harms nobody.
 * - `lastCounts`: it replaces something, so it is repeated once the first can have no effect any
 *   longer.
 * - `untilGone`: as `again`; a 404 on the repetition is a success.
 * - `untilState`: as `again`; a document that is in the wanted state already is a success.
 * - `never`: a person would get a second email, or a second contract.
 */
export type RetryPolicy = 'again' | 'lastCounts' | 'untilGone' | 'untilState' | 'never';

export type Endpoint = keyof ResponseOf;

export type EndpointRule = {
	/** What it does, as it follows "could not" in a message. */
	action: string;
	retry: RetryPolicy;
	/**
	 * A property that each answer of it has. A response without it counts as no answer: a gateway's
	 * page, another program's JSON.
	 */
	answer: string;
	/** What a repetition may leave behind: it is sent twice at most, and a hint says so. */
	spare?: string;
};

/**
 * Every endpoint of docs/service.md section 4, by its method and path, and what a retry of it may
 * do.
 */
export const ENDPOINTS: Record<Endpoint, EndpointRule> = {
	'GET /account': { action: 'read the account', retry: 'again', answer: 'mode' },

	'GET /templates': {
		action: 'list the templates',
		retry: 'again',
		answer: 'data',
	},
	'GET /templates/{id}': { action: 'read the template', retry: 'again', answer: 'roles' },
	// With `send: false` it makes a draft and is sent `again`: a spare draft writes to nobody.
	'POST /templates/{id}/send': {
		action: 'create the document from the template',
		retry: 'never',
		answer: 'recipients',
	},

	// A second upload leaves a spare file that no document uses.
	'POST /files': { action: 'upload the file', retry: 'again', answer: 'size_bytes' },

	'GET /documents': {
		action: 'list the documents',
		retry: 'again',
		answer: 'data',
	},
	// Makes drafts only (`send` is never in its body): a spare one writes to nobody.
	'POST /documents': {
		action: 'create the document',
		retry: 'again',
		answer: 'recipients',
		spare: 'a draft, which is never sent',
	},
	'GET /documents/{id}': { action: 'read the document', retry: 'again', answer: 'recipients' },
	'POST /documents/{id}/send': {
		action: 'send the document',
		retry: 'untilState',
		answer: 'recipients',
	},
	'POST /documents/{id}/cancel': {
		action: 'cancel the document',
		retry: 'untilState',
		answer: 'recipients',
	},
	'POST /documents/{id}/remind': {
		action: 'send the reminder',
		retry: 'never',
		answer: 'reminded',
	},
	// Both PUT calls are full replacements: the last one counts.
	'PUT /documents/{id}/recipients': {
		action: 'replace the recipients',
		retry: 'lastCounts',
		answer: 'recipients',
	},
	'PUT /documents/{id}/fields': {
		action: 'replace the fields',
		retry: 'lastCounts',
		answer: 'fields',
	},
	'GET /documents/{id}/files/{variant}': {
		action: 'download the file',
		retry: 'again',
		answer: 'url',
	},
	// A second embed link is short-lived and nobody has seen the first.
	'POST /documents/{id}/recipients/{recipientId}/embed-link': {
		action: 'create the embed link',
		retry: 'again',
		answer: 'url',
	},

	'POST /templates/{id}/links': {
		action: 'create the template link',
		retry: 'again',
		answer: 'slug',
		spare: 'a link whose URL is unknown; delete the one that is not needed',
	},
	'GET /templates/{id}/links': {
		action: 'list the template links',
		retry: 'again',
		answer: 'data',
	},
	'GET /template-links/{linkId}': {
		action: 'read the template link',
		retry: 'again',
		answer: 'slug',
	},
	// Each rotation retires the one before: the last one counts.
	'POST /template-links/{linkId}/rotate': {
		action: 'rotate the template link',
		retry: 'lastCounts',
		answer: 'slug',
	},
	'DELETE /template-links/{linkId}': {
		action: 'delete the template link',
		retry: 'untilGone',
		answer: 'deleted',
	},

	'POST /webhooks': {
		action: 'create the webhook endpoint',
		retry: 'again',
		answer: 'signing_secret',
		spare: 'an endpoint whose signing secret is unknown; delete it',
	},
	'GET /webhooks': { action: 'list the webhook endpoints', retry: 'again', answer: 'data' },
	'DELETE /webhooks/{id}': {
		action: 'delete the webhook endpoint',
		retry: 'untilGone',
		answer: 'deleted',
	},
	'GET /webhooks/{id}/deliveries': {
		action: 'list the deliveries',
		retry: 'again',
		answer: 'data',
	},
	// Receivers deduplicate by the event id, which a replay keeps.
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': {
		action: 'replay the delivery',
		retry: 'again',
		answer: 'replayed',
	},
};

/** The endpoints that page with a cursor; the other lists of the service come whole. */
export type PagedEndpoint = {
	[E in Endpoint]: ResponseOf[E] extends Page<unknown> ? E : never;
}[Endpoint];

/** One entry of a paged endpoint's list. */
export type ItemOf<E extends PagedEndpoint> = ResponseOf[E]['data'][number];
