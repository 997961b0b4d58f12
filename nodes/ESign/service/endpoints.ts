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

function rule(retry: RetryPolicy, answer: string, action: string, spare?: string): EndpointRule {
	return { retry, answer, action, spare };
}

/**
 * Every endpoint of docs/service.md section 4, by its method and path, and what a retry of it may
 * do.
 */
export const ENDPOINTS: Record<Endpoint, EndpointRule> = {
	'GET /account': rule('again', 'mode', 'read the account'),

	'GET /templates': rule('again', 'data', 'list the templates'),
	'GET /templates/{id}': rule('again', 'roles', 'read the template'),
	// With `send: false` it makes a draft and is sent `again`: a spare draft writes to nobody.
	'POST /templates/{id}/send': rule('never', 'recipients', 'create the document from the template'),

	// A second upload leaves a spare file that no document uses.
	'POST /files': rule('again', 'size_bytes', 'upload the file'),

	'GET /documents': rule('again', 'data', 'list the documents'),
	// Makes drafts only (`send` is never in its body): a spare one writes to nobody.
	'POST /documents': rule(
		'again',
		'recipients',
		'create the document',
		'a draft, which is never sent',
	),
	'GET /documents/{id}': rule('again', 'recipients', 'read the document'),
	'POST /documents/{id}/send': rule('untilState', 'recipients', 'send the document'),
	'POST /documents/{id}/cancel': rule('untilState', 'recipients', 'cancel the document'),
	'POST /documents/{id}/remind': rule('never', 'reminded', 'send the reminder'),
	// Both PUT calls are full replacements: the last one counts.
	'PUT /documents/{id}/recipients': rule('lastCounts', 'recipients', 'replace the recipients'),
	'PUT /documents/{id}/fields': rule('lastCounts', 'fields', 'replace the fields'),
	'GET /documents/{id}/files/{variant}': rule('again', 'url', 'download the file'),
	// A second embed link is short-lived and nobody has seen the first.
	'POST /documents/{id}/recipients/{recipientId}/embed-link': rule(
		'again',
		'url',
		'create the embed link',
	),

	'POST /templates/{id}/links': rule(
		'again',
		'slug',
		'create the template link',
		'a link whose URL is unknown; delete the one that is not needed',
	),
	'GET /templates/{id}/links': rule('again', 'data', 'list the template links'),
	'GET /template-links/{linkId}': rule('again', 'slug', 'read the template link'),
	// Each rotation retires the one before: the last one counts.
	'POST /template-links/{linkId}/rotate': rule('lastCounts', 'slug', 'rotate the template link'),
	'DELETE /template-links/{linkId}': rule('untilGone', 'deleted', 'delete the template link'),

	'POST /webhooks': rule(
		'again',
		'signing_secret',
		'create the webhook endpoint',
		'an endpoint whose signing secret is unknown; delete it',
	),
	'GET /webhooks': rule('again', 'data', 'list the webhook endpoints'),
	'DELETE /webhooks/{id}': rule('untilGone', 'deleted', 'delete the webhook endpoint'),
	'GET /webhooks/{id}/deliveries': rule('again', 'data', 'list the deliveries'),
	// Receivers deduplicate by the event id, which a replay keeps.
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': rule(
		'again',
		'replayed',
		'replay the delivery',
	),
};

/** The endpoints that page with a cursor; the other lists of the service come whole. */
export type PagedEndpoint = {
	[E in Endpoint]: ResponseOf[E] extends Page<unknown> ? E : never;
}[Endpoint];

/** One entry of a paged endpoint's list. */
export type ItemOf<E extends PagedEndpoint> = ResponseOf[E]['data'][number];
