/**
 * What an answer holds by docs/service.md, sections 2, 3, 4 and 6, object by object: each property
 * in words. description.test.ts holds them against the schemas that are served, which every test
 * holds against real answers.
 *
 * `doc_` is an id of that kind; a name in capitals is another object, or one of the texts of
 * `TEXTS`; `?` may be absent.
 */
export type Described = { [property: string]: string | Described };

const document = {
	...{ id: 'doc_', status: 'DocumentStatus', title: 'text', mode: 'Mode' },
	...{ recipients: 'list of Recipient', created_at: 'Timestamp' },
};
const recipient = { id: 'rcp_', name: 'text', email: 'text', role: 'text or null' };
const template = {
	...{ id: 'tpl_', name: 'text', description: 'text or null', status: 'PUBLISHED' },
	...{ roles: 'list of TemplateRole', created_at: 'Timestamp' },
};
const role = { role: 'text', type: 'RoleType' };
const endpoint = {
	...{ id: 'whk_', url: 'url', mode: 'Mode', events: 'list of EventType' },
	...{ status: 'ACTIVE, DISABLED', created_at: 'Timestamp' },
};
const event = { id: 'evt_', mode: 'Mode', occurred_at: 'Timestamp', document: 'EventDocument' };
const page = { has_more: 'boolean', next_cursor: 'text or null' };

export const ANSWERS: Record<string, Described> = {
	Account: {
		organization: { id: 'org_', name: 'text' },
		plan: { code: 'text', trialing: 'boolean' },
		mode: 'Mode',
		usage: 'Usage',
	},
	Usage: {
		...{
			documents_used: 'integer from 0',
			documents_included: 'integer or null',
			documents_billable: 'integer from 0',
		},
		...{
			overage_amount_cents: 'integer from 0',
			period_start: 'Timestamp or null',
			period_end: 'Timestamp or null',
		},
	},
	Document: document,
	DocumentPage: { data: 'list of Document', ...page },
	DocumentFromTemplate: { ...document, 'embed_links?': 'list of RecipientEmbedLink' },
	RecipientEmbedLink: { recipient_id: 'rcp_', url: 'url', expires_at: 'Timestamp' },
	Recipient: { ...recipient, status: 'RecipientStatus' },
	ReplacedRecipients: { recipients: 'list of RawRecipient' },
	RawRecipient: { ...recipient, status: 'RawRecipientStatus' },
	ReplacedFields: { fields: 'list of ReplacedField' },
	ReplacedField: {
		...{
			id: 'fld_',
			type: 'FieldType',
			page: 'integer from 1',
			recipient_id: 'rcp_ or null',
			field_key: 'text or null',
		},
		fill_mode: 'FillMode',
	},
	Reminded: { reminded: 'integer from 1' },
	DownloadUrl: { url: 'url', expires_in: 'integer from 1 up to 600' },
	EmbedLink: { url: 'url', expires_at: 'Timestamp' },
	Template: template,
	TemplatePage: { data: 'list of Template', ...page },
	TemplateRole: role,
	TemplateDetail: {
		...template,
		roles: 'list of TemplateRoleDetail',
		fields: 'list of TemplateField',
	},
	// The id is what signers[].placeholder_id is said to come from.
	TemplateRoleDetail: { id: 'ph_', ...role, order: 'integer from 0' },
	TemplateField: {
		...{
			field_key: 'text or null',
			type: 'FieldType',
			role: 'text or null',
			required: 'boolean',
			page: 'integer from 1',
		},
	},
	File: {
		id: 'file_',
		name: 'text',
		mime_type: 'text',
		size_bytes: 'integer from 1',
		created_at: 'Timestamp',
	},
	TemplateLink: {
		...{
			id: 'lnk_',
			slug: 'text',
			url: 'url',
			template_id: 'tpl_',
			label: 'text or null',
			headline: 'text or null',
		},
		...{ message: 'text or null', redirect_url: 'text or null', expires_at: 'Timestamp or null' },
		...{
			max_uses: 'integer or null',
			use_count: 'integer from 0',
			enabled: 'boolean',
			signers: 'list of LinkSigner',
		},
		created_at: 'Timestamp',
	},
	TemplateLinkList: { data: 'list of TemplateLink' },
	LinkSigner: {
		...{
			placeholder_id: 'ph_',
			role: 'text',
			is_open: 'boolean',
			name: 'text or null',
			email: 'text or null',
		},
	},
	Deleted: { id: 'text', deleted: 'boolean' },
	WebhookEndpoint: endpoint,
	WebhookEndpointList: { data: 'list of WebhookEndpoint' },
	CreatedWebhookEndpoint: { ...endpoint, signing_secret: 'text' },
	WebhookDelivery: {
		...{
			id: 'dlv_',
			event: 'EventType',
			event_id: 'evt_',
			document_id: 'doc_ or null',
			attempt: 'integer from 1 up to 3',
		},
		...{
			response_status: 'integer or null',
			response_body: 'text up to 2000 or null',
			error: 'text or null',
		},
		...{ succeeded: 'boolean', payload: 'EventPayload', created_at: 'Timestamp' },
	},
	WebhookDeliveryList: { data: 'list of WebhookDelivery' },
	ReplayedDelivery: { replayed: 'boolean', event_id: 'evt_' },
	DocumentEvent: {
		...event,
		event: 'document.sent, document.completed, document.expired, document.cancelled',
	},
	RecipientEvent: {
		...event,
		event: 'recipient.viewed, recipient.signed, document.declined',
		recipient: 'EventRecipient',
	},
	EventDocument: {
		id: 'doc_',
		status: 'DocumentStatus',
		title: 'text',
		signed_pdf: 'null',
		certificate: 'null',
	},
	EventRecipient: { id: 'rcp_', name: 'text', email: 'text', status: 'RecipientStatus' },
};

/** Texts of which there are few, or that have a form. */
export const TEXTS: Record<string, string> = {
	Mode: 'LIVE, TEST',
	Timestamp: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
	DocumentStatus: 'draft, in_progress, completed, declined, cancelled, expired',
	RecipientStatus: 'waiting, sent, viewed, signed, reassigned',
	RawRecipientStatus: 'WAITING, REQUESTED, VIEWED, SIGNED, REASSIGNED',
	RoleType: 'SIGNER, CC',
	FieldType:
		'SIGNATURE, INITIALS, DATE, TEXT, CHECKBOX, DROPDOWN, EMAIL, RADIO_GROUP, NAME, TITLE, COMPANY, STAMP, TEXTAREA, NUMBER, PHONE',
	FillMode: 'SIGNER_FILLED, PREFILLED',
	EventType:
		'document.sent, recipient.viewed, recipient.signed, document.completed, document.declined, document.expired, document.cancelled',
};
