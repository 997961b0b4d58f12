import type { ResponseOf } from './wire';

/**
 * What may follow a failure whose outcome is unknown: a 5xx, a timeout, a broken connection, an
 * unreadable answer. (A 429 was certainly not carried out, and is always sent again.)
 * client/once/policies.ts says how.
 *
 * - `again`: repeating changes nothing, or leaves a spare that harms nobody.
 * - `againWhenCertain`: the last one counts, so it is sent again only when the effect of the first
 * cannot come any more.
 * - `againUntilGone`: as `again`; a 404 on the repetition means that the first one did it.
 * - `againThenRead`: as `again`; a 409 on the repetition means: read the document, it may be in the
 * wanted state.
 * - `lookFirst`: a repetition would do it twice; look for what the lost answer may have left
 * behind.
 * - `never`: a person would get a second email.
 */
export type RetryPolicy =
	'again' | 'againWhenCertain' | 'againUntilGone' | 'againThenRead' | 'lookFirst' | 'never';

export type EndpointRule = {
	/** What it does, as it follows "could not" in a message. */
	action: string;
	retry: RetryPolicy;
	/**
	 * A property that each answer of it has. A response without it counts as no answer: a gateway's
	 * page, another program's JSON.
	 */
	answer: string;
	/** Lists with a cursor; the other lists of the service come whole. */
	paging?: 'cursor';
	/** Takes megabytes: gets the longer timeout. */
	upload?: true;
};

/**
 * Every endpoint of docs/service.md section 4, by its method and path, and what a retry of it may
 * do.
 */
export const ENDPOINTS = {
	'GET /account': { action: 'read the account', retry: 'again', answer: 'mode' },

	'GET /templates': {
		action: 'list the templates',
		retry: 'again',
		answer: 'data',
		paging: 'cursor',
	},
	'GET /templates/{id}': { action: 'read the template', retry: 'again', answer: 'roles' },
	'POST /templates/{id}/send': {
		action: 'create the document from the template',
		retry: 'lookFirst',
		answer: 'id',
	},

	// A second upload leaves a spare file that no document uses.
	'POST /files': { action: 'upload the file', retry: 'again', answer: 'id', upload: true },

	'GET /documents': {
		action: 'list the documents',
		retry: 'again',
		answer: 'data',
		paging: 'cursor',
	},
	// Makes drafts only (`send` is never in its body): a spare one writes to nobody.
	'POST /documents': { action: 'create the document', retry: 'again', answer: 'id' },
	'GET /documents/{id}': { action: 'read the document', retry: 'again', answer: 'status' },
	'POST /documents/{id}/send': {
		action: 'send the document',
		retry: 'againThenRead',
		answer: 'id',
	},
	'POST /documents/{id}/cancel': {
		action: 'cancel the document',
		retry: 'againThenRead',
		answer: 'id',
	},
	'POST /documents/{id}/remind': {
		action: 'send the reminder',
		retry: 'never',
		answer: 'reminded',
	},
	// Both PUT calls are full replacements: the last one counts.
	'PUT /documents/{id}/recipients': {
		action: 'replace the recipients',
		retry: 'againWhenCertain',
		answer: 'recipients',
	},
	'PUT /documents/{id}/fields': {
		action: 'replace the fields',
		retry: 'againWhenCertain',
		answer: 'fields',
	},
	'GET /documents/{id}/files/{variant}': {
		action: 'get the download URL of the file',
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
		retry: 'lookFirst',
		answer: 'id',
	},
	'GET /templates/{id}/links': {
		action: 'list the template links',
		retry: 'again',
		answer: 'data',
	},
	'GET /template-links/{linkId}': {
		action: 'read the template link',
		retry: 'again',
		answer: 'id',
	},
	// Each rotation retires the one before: the last one counts.
	'POST /template-links/{linkId}/rotate': {
		action: 'rotate the template link',
		retry: 'againWhenCertain',
		answer: 'slug',
	},
	'DELETE /template-links/{linkId}': {
		action: 'delete the template link',
		retry: 'againUntilGone',
		answer: 'deleted',
	},

	'POST /webhooks': { action: 'create the webhook endpoint', retry: 'lookFirst', answer: 'id' },
	'GET /webhooks': { action: 'list the webhook endpoints', retry: 'again', answer: 'data' },
	'DELETE /webhooks/{id}': {
		action: 'delete the webhook endpoint',
		retry: 'againUntilGone',
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
} as const satisfies Record<keyof ResponseOf, EndpointRule>;

export type Endpoint = keyof typeof ENDPOINTS;

/** The endpoints of the policy `lookFirst`. */
export type LookFirstEndpoint = {
	[E in Endpoint]: (typeof ENDPOINTS)[E]['retry'] extends 'lookFirst' ? E : never;
}[Endpoint];

/** The rule of an endpoint, in its general form. */
export function ruleOf(endpoint: Endpoint): EndpointRule {
	return ENDPOINTS[endpoint];
}

/** The endpoints that page with a cursor: `GET /templates` and `GET /documents`. */
export type PagedEndpoint = {
	[E in Endpoint]: (typeof ENDPOINTS)[E] extends { paging: 'cursor' } ? E : never;
}[Endpoint];

/** One entry of a paged endpoint's list. */
export type ItemOf<E extends PagedEndpoint> = ResponseOf[E]['data'][number];
