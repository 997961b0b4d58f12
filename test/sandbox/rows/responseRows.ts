/**
 * Every row of every table of docs/service.md that describes what an answer holds, and the answers that hold it.
 * responseRows.test.ts looks at each row in each of these answers, and holds the rows against the schemas that are served.
 */
export interface Check {
	fits: (value: unknown) => boolean;
	/** Whether null is documented; `sandboxHasNone` where nothing here can make it null. */
	nullable?: true | 'sandboxHasNone';
	optional?: true;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const text: Check = { fits: isText };
const count: Check = { fits: (value) => Number.isInteger(value) && Number(value) >= 0 };
const flag: Check = { fits: (value) => typeof value === 'boolean' };
const list: Check = { fits: Array.isArray };
const object: Check = { fits: (value) => typeof value === 'object' && value !== null && !Array.isArray(value) };
const matching = (pattern: RegExp): Check => ({ fits: (value) => isText(value) && pattern.test(value) });
const id = (prefix: string) => matching(new RegExp(`^${prefix}_\\w+$`));
const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const oneOf = (...values: string[]): Check => ({ fits: (value) => isText(value) && values.includes(value) });
const url = matching(/^https?:\/\/\S+$/);
const orNull = (check: Check): Check => ({ ...check, nullable: true });
/** Null is documented, and nothing in the sandbox is ever without it. */
const neverNullHere = (check: Check): Check => ({ ...check, nullable: 'sandboxHasNone' });
const optional = (check: Check): Check => ({ ...check, optional: true });
const exactly = (wanted: unknown): Check => ({ fits: (value) => value === wanted });

const mode = oneOf('LIVE', 'TEST');
const documentStatus = oneOf('draft', 'in_progress', 'completed', 'declined', 'cancelled', 'expired');
const recipientStatus = oneOf('waiting', 'sent', 'viewed', 'signed', 'reassigned');
const fieldType = oneOf(
	...['SIGNATURE', 'INITIALS', 'DATE', 'TEXT', 'CHECKBOX', 'DROPDOWN', 'EMAIL', 'RADIO_GROUP'],
	...['NAME', 'TITLE', 'COMPANY', 'STAMP', 'TEXTAREA', 'NUMBER', 'PHONE'],
);
const event = oneOf(
	...['document.sent', 'recipient.viewed', 'recipient.signed', 'document.completed'],
	...['document.declined', 'document.expired', 'document.cancelled'],
);

export interface ResponseTable {
	title: string;
	rows: Record<string, Check>;
	/** Endpoints, and where in their answers the object lies: `data[].recipients[]`; empty for the answer itself. */
	carriers: ReadonlyArray<readonly [endpoint: string, at: string]>;
}

const DOCUMENT_ANSWERS = [
	['POST /documents', ''],
	['GET /documents', 'data[]'],
	['GET /documents/{id}', ''],
	['POST /documents/{id}/send', ''],
	['POST /documents/{id}/cancel', ''],
] as const;
const SENT_TEMPLATE = ['POST /templates/{id}/send', ''] as const;
const LINK_ANSWERS = [
	['POST /templates/{id}/links', ''],
	['GET /templates/{id}/links', 'data[]'],
	['GET /template-links/{linkId}', ''],
	['POST /template-links/{linkId}/rotate', ''],
] as const;
const DELIVERIES = 'GET /webhooks/{id}/deliveries';
const within = (carriers: ReadonlyArray<readonly [string, string]>, part: string) =>
	carriers.map(([endpoint, at]) => [endpoint, [at, part].filter(Boolean).join('.')] as const);

const documentRows = {
	id: id('doc'),
	status: documentStatus,
	title: text,
	mode,
	recipients: list,
	created_at: timestamp,
};
const recipientRows = { id: id('rcp'), name: text, email: text, role: orNull(text) };
const templateRows = {
	id: id('tpl'),
	name: text,
	description: orNull(text),
	status: oneOf('PUBLISHED'),
	roles: list,
	created_at: timestamp,
};
const roleRows = { role: text, type: oneOf('SIGNER', 'CC') };
const endpointRows = {
	id: id('whk'),
	url,
	mode,
	events: list,
	status: oneOf('ACTIVE', 'DISABLED'),
	created_at: timestamp,
};
const page = { data: list, has_more: flag, next_cursor: orNull(text) };

export const RESPONSE_TABLES: readonly ResponseTable[] = [
	{ title: 'section 2, document', rows: documentRows, carriers: DOCUMENT_ANSWERS },
	{
		title: 'section 2, document, and rule 9 of template send',
		rows: { ...documentRows, embed_links: optional(list) },
		carriers: [SENT_TEMPLATE],
	},
	{
		title: 'section 2, document recipient',
		rows: { ...recipientRows, status: recipientStatus },
		carriers: within([...DOCUMENT_ANSWERS.slice(1), SENT_TEMPLATE], 'recipients[]'),
	},
	{
		title: 'section 2, document recipient, role only on documents created from a template',
		rows: { ...recipientRows, role: exactly(null), status: recipientStatus },
		carriers: [['POST /documents', 'recipients[]']],
	},
	{
		title: 'section 4, rule 9 of template send, embed_links',
		rows: { recipient_id: id('rcp'), url, expires_at: timestamp },
		carriers: within([SENT_TEMPLATE], 'embed_links[]'),
	},
	{ title: 'section 2, template (list item)', rows: templateRows, carriers: [['GET /templates', 'data[]']] },
	{
		title: 'section 2, template (list item), roles',
		rows: roleRows,
		carriers: [['GET /templates', 'data[].roles[]']],
	},
	{
		title: 'section 2, template (detail)',
		rows: { ...templateRows, fields: list },
		carriers: [['GET /templates/{id}', '']],
	},
	{
		// The id is what signers[].placeholder_id is said to come from.
		title: 'section 2, template (detail), roles',
		rows: { id: id('ph'), ...roleRows, order: count },
		carriers: [['GET /templates/{id}', 'roles[]']],
	},
	{
		title: 'section 2, template (detail), fields',
		rows: { field_key: orNull(text), type: fieldType, role: orNull(text), required: flag, page: count },
		carriers: [['GET /templates/{id}', 'fields[]']],
	},
	{
		title: 'section 2, file',
		rows: { id: id('file'), name: text, mime_type: text, size_bytes: count, created_at: timestamp },
		carriers: [['POST /files', '']],
	},
	{
		title: 'section 2, template link',
		rows: {
			id: id('lnk'),
			slug: matching(/^\w+$/),
			url,
			template_id: id('tpl'),
			label: orNull(text),
			headline: orNull(text),
			message: orNull(text),
			redirect_url: orNull(url),
			expires_at: orNull(timestamp),
			max_uses: orNull(count),
			use_count: count,
			enabled: flag,
			signers: list,
			created_at: timestamp,
		},
		carriers: LINK_ANSWERS,
	},
	{
		title: 'section 2, template link, signers',
		rows: { placeholder_id: id('ph'), role: text, is_open: flag, name: orNull(text), email: orNull(text) },
		carriers: within(LINK_ANSWERS, 'signers[]'),
	},
	{ title: 'section 2, webhook endpoint', rows: endpointRows, carriers: [['GET /webhooks', 'data[]']] },
	{
		title: 'section 2, webhook endpoint, created',
		rows: { ...endpointRows, signing_secret: text },
		carriers: [['POST /webhooks', '']],
	},
	{
		title: 'section 2, webhook delivery record',
		rows: {
			id: id('dlv'),
			event,
			event_id: id('evt'),
			document_id: neverNullHere(id('doc')),
			attempt: count,
			response_status: orNull(count),
			response_body: orNull(text),
			error: orNull(text),
			succeeded: flag,
			payload: object,
			created_at: timestamp,
		},
		carriers: [[DELIVERIES, 'data[]']],
	},
	{
		title: 'section 6, delivery payload',
		rows: { id: id('evt'), event, mode, occurred_at: timestamp, document: object, recipient: optional(object) },
		carriers: [[DELIVERIES, 'data[].payload']],
	},
	{
		title: 'section 6, delivery payload, document',
		rows: {
			id: id('doc'),
			status: documentStatus,
			title: text,
			signed_pdf: exactly(null),
			certificate: exactly(null),
		},
		carriers: [[DELIVERIES, 'data[].payload.document']],
	},
	{
		title: 'section 6, delivery payload, recipient',
		rows: { id: id('rcp'), name: text, email: text, status: recipientStatus },
		carriers: [[DELIVERIES, 'data[].payload.recipient']],
	},
	{
		title: 'section 2, account',
		rows: { organization: object, plan: object, mode, usage: object },
		carriers: [['GET /account', '']],
	},
	{
		title: 'section 2, account, organization',
		rows: { id: id('org'), name: text },
		carriers: [['GET /account', 'organization']],
	},
	{
		title: 'section 2, account, plan',
		rows: { code: text, trialing: flag },
		carriers: [['GET /account', 'plan']],
	},
	{
		title: 'section 2, account, usage',
		rows: {
			documents_used: count,
			documents_included: neverNullHere(count),
			documents_billable: count,
			overage_amount_cents: count,
			period_start: neverNullHere(timestamp),
			period_end: neverNullHere(timestamp),
		},
		carriers: [['GET /account', 'usage']],
	},
	{
		title: 'section 4, list response',
		rows: page,
		carriers: [
			['GET /documents', ''],
			['GET /templates', ''],
		],
	},
	{
		title: 'section 4, lists without a cursor',
		rows: { data: list },
		carriers: [
			['GET /webhooks', ''],
			[DELIVERIES, ''],
			['GET /templates/{id}/links', ''],
		],
	},
	{ title: 'section 4, remind', rows: { reminded: count }, carriers: [['POST /documents/{id}/remind', '']] },
	{
		title: 'section 4, PUT recipients',
		rows: { recipients: list },
		carriers: [['PUT /documents/{id}/recipients', '']],
	},
	{
		title: 'section 3, PUT recipients, in raw internal form',
		// Only drafts take recipients, and those of a draft have no role of a template unless it was made from one.
		rows: { ...recipientRows, status: oneOf('WAITING', 'REQUESTED') },
		carriers: [['PUT /documents/{id}/recipients', 'recipients[]']],
	},
	{ title: 'section 4, PUT fields', rows: { fields: list }, carriers: [['PUT /documents/{id}/fields', '']] },
	{
		title: 'section 4, PUT fields, fields',
		rows: {
			id: id('fld'),
			type: fieldType,
			page: count,
			recipient_id: orNull(id('rcp')),
			field_key: orNull(text),
			fill_mode: oneOf('SIGNER_FILLED', 'PREFILLED'),
		},
		carriers: [['PUT /documents/{id}/fields', 'fields[]']],
	},
	{
		title: 'section 4, files',
		rows: { url, expires_in: exactly(600) },
		carriers: [['GET /documents/{id}/files/{variant}', '']],
	},
	{
		title: 'section 4, embed link',
		rows: { url, expires_at: timestamp },
		carriers: [['POST /documents/{id}/recipients/{recipientId}/embed-link', '']],
	},
	{
		title: 'section 4, DELETE',
		rows: { id: matching(/^(lnk|whk)_\w+$/), deleted: exactly(true) },
		carriers: [
			['DELETE /template-links/{linkId}', ''],
			['DELETE /webhooks/{id}', ''],
		],
	},
	{
		title: 'section 4, replay',
		rows: { replayed: flag, event_id: id('evt') },
		carriers: [['POST /webhooks/{id}/deliveries/{deliveryId}/replay', '']],
	},
];
