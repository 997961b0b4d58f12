import type { IDataObject } from 'n8n-workflow';
import type { EventType } from './events';

/*
 * What the nodes read of the service's answers. An item gets each answer whole, as
 * docs/service.md section 2 has it. Only type aliases, and no interfaces, go into an item's `json`
 * without a cast. Times, such as `created_at`, are ISO 8601 in UTC with milliseconds.
 */

export type { EventType };

export type DocumentStatus =
	'draft' | 'in_progress' | 'completed' | 'declined' | 'cancelled' | 'expired';

export type FileVariant = 'signed' | 'certificate' | 'original';

export type Recipient = {
	id: string;
	name: string;
	email: string;
	/** Filled only on documents created from a template. */
	role: string | null;
	/** As in docs/service.md section 3; raw in the answer of PUT recipients. */
	status: string;
};

export type Document = {
	id: string;
	status: DocumentStatus;
	title: string;
	recipients: Recipient[];
	created_at: string;
};

export type EmbedLink = { recipient_id: string; url: string; expires_at: string };

/**
 * `roles[].id` is missing from the tables of docs/service.md, yet links are said to need it: use it
 * if it is there.
 */
export type TemplateRole = { role: string; type: string; id?: string };

export type Template = {
	id: string;
	name: string;
	roles: TemplateRole[];
	created_at: string;
};

export type TemplateField = {
	/** Null: this field cannot be prefilled. */
	field_key: string | null;
	type: string;
	role: string | null;
	page: number;
};

export type TemplateDetail = Omit<Template, 'roles'> & {
	roles: Array<TemplateRole & { order: number }>;
	fields: TemplateField[];
};

export type File = { id: string };

export type TemplateLink = {
	id: string;
	slug: string;
	url: string;
	template_id: string;
	label: string | null;
	expires_at: string | null;
	max_uses: number | null;
	use_count: number;
	enabled: boolean;
	signers: Array<{ role: string; is_open: boolean }>;
	created_at: string;
};

export type WebhookEndpoint = {
	id: string;
	url: string;
	events: EventType[];
	status: 'ACTIVE' | 'DISABLED';
	created_at: string;
};

/** The secret comes only with the create response and cannot be read again. */
export type CreatedWebhookEndpoint = WebhookEndpoint & { signing_secret: string };

export type WebhookPayload = {
	id: string;
	event: EventType;
	occurred_at: string;
	document: Pick<Document, 'id' | 'status' | 'title'>;
};

export type WebhookDelivery = {
	id: string;
	event: EventType;
	event_id: string;
	document_id: string | null;
	attempt: number;
	response_status: number | null;
	response_body: string | null;
	error: string | null;
	succeeded: boolean;
	payload: WebhookPayload;
	created_at: string;
};

export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null };

/** The body of each endpoint's success response (docs/service.md section 4). */
export type ResponseOf = {
	/** Passed through as it comes. */
	'GET /account': IDataObject;
	'GET /templates': Page<Template>;
	'GET /templates/{id}': TemplateDetail;
	'POST /templates/{id}/send': Document;
	'POST /files': File;
	'GET /documents': Page<Document>;
	'POST /documents': Document;
	'GET /documents/{id}': Document;
	'POST /documents/{id}/send': Document;
	'POST /documents/{id}/cancel': Document;
	'POST /documents/{id}/remind': { reminded: number };
	/** The shape beyond raw statuses (REQUESTED, WAITING, ...) is not shown: pass it through. */
	'PUT /documents/{id}/recipients': { recipients: Recipient[] };
	'PUT /documents/{id}/fields': { fields: IDataObject[] };
	'GET /documents/{id}/files/{variant}': { url: string };
	'POST /documents/{id}/recipients/{recipientId}/embed-link': Omit<EmbedLink, 'recipient_id'>;
	'POST /templates/{id}/links': TemplateLink;
	'GET /templates/{id}/links': { data: TemplateLink[] };
	'GET /template-links/{linkId}': TemplateLink;
	'POST /template-links/{linkId}/rotate': TemplateLink;
	'DELETE /template-links/{linkId}': IDataObject;
	'POST /webhooks': CreatedWebhookEndpoint;
	'GET /webhooks': { data: WebhookEndpoint[] };
	'DELETE /webhooks/{id}': IDataObject;
	'GET /webhooks/{id}/deliveries': { data: WebhookDelivery[] };
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': { replayed: boolean };
};
