/**
 * What shows that the sandbox has each endpoint and each code of docs/service.md: for every one, a test file of this folder and
 * the beginning of a test's title in it. coverage.test.ts holds this table against the routes and codes that exist. The
 * rows of the field tables and the rules are in rows/.
 */
export type Shown = readonly [file: string, title: string];

const documents = 'documents.test.ts';
const requests = 'requests.test.ts';
const requestRows = 'requestRows.test.ts';
const templates = 'templates.test.ts';
const webhooks = 'webhooks.test.ts';
const account = 'account.test.ts';
const authentication = 'authentication.test.ts';
const controls = 'controls.test.ts';

export const ENDPOINTS: Record<string, readonly Shown[]> = {
	'GET /account': [[account, 'reports the workspace, its plan and the calendar month']],
	'GET /templates': [
		[templates, 'lists published templates only'],
		[account, 'ends a page that is exactly full'],
	],
	'GET /templates/{id}': [
		[templates, 'lists published templates only'],
		[templates, 'rule 8'],
	],
	'POST /templates/{id}/send': [
		[templates, 'rule 1'],
		[templates, 'rules 2 to 4'],
		[templates, 'rule 5'],
		[templates, 'rule 6'],
		[templates, 'rule 7'],
		[templates, 'rule 8'],
		[templates, 'rule 9'],
		[templates, 'rule 10'],
		[templates, 'sends by default'],
	],
	'POST /files': [
		[requests, 'answers a file object'],
		[requests, 'refuses what is not multipart'],
		[requests, 'takes 25 MB'],
	],
	'GET /documents': [
		[account, 'pages with a cursor'],
		[documents, 'filters lists by status'],
	],
	'POST /documents': [
		[documents, 'creates a draft by default'],
		[documents, 'merges files in the listed order'],
		[requests, 'takes everything that the tables allow'],
		[requestRows, '%s, %s: %s takes what it may'],
	],
	'GET /documents/{id}': [[documents, 'creates a draft by default']],
	'POST /documents/{id}/send': [[documents, 'draft goes to in_progress by send, once']],
	'POST /documents/{id}/cancel': [[documents, 'in_progress goes to cancelled by cancel']],
	'POST /documents/{id}/remind': [[documents, 'reminds everyone outstanding']],
	'PUT /documents/{id}/recipients': [[documents, 'replaces recipients in full']],
	'PUT /documents/{id}/fields': [[documents, 'replaces fields in full']],
	'GET /documents/{id}/files/{variant}': [
		[documents, 'in_progress goes to completed'],
		[documents, 'gives download addresses'],
	],
	'POST /documents/{id}/recipients/{recipientId}/embed-link': [[templates, 'gives a signer a short-lived address']],
	'POST /templates/{id}/links': [[templates, 'creates, reads and lists links']],
	'GET /templates/{id}/links': [[templates, 'creates, reads and lists links']],
	'GET /template-links/{linkId}': [[templates, 'creates, reads and lists links']],
	'POST /template-links/{linkId}/rotate': [[templates, 'rotates']],
	'DELETE /template-links/{linkId}': [[templates, 'deletes for good and leaves documents alone']],
	'POST /webhooks': [[webhooks, 'creates an endpoint with a secret']],
	'GET /webhooks': [[webhooks, 'creates an endpoint with a secret']],
	'DELETE /webhooks/{id}': [[webhooks, 'deletes for good, with its history']],
	'GET /webhooks/{id}/deliveries': [[webhooks, 'limits the log, newest first']],
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': [[webhooks, 'replays the stored payload unchanged']],
};

export const CODES: Record<string, readonly Shown[]> = {
	validation_error: [[requests, 'names every bad field at once']],
	api_not_enabled: [[authentication, 'refuses a plan without API access']],
	live_api_requires_paid_plan: [[authentication, 'refuses live keys during a trial']],
	entitlement_required: [[templates, 'refuses drafts, templates without a signer']],
	webhook_endpoint_limit_reached: [[webhooks, 'holds five endpoints per mode']],
	org_suspended: [[authentication, 'refuses everyone while the workspace is suspended']],
	insufficient_scope: [[authentication, '%s %s needs %s']],
	document_not_found: [[requests, 'knows the documents and only them']],
	template_not_found: [[templates, 'rule 8']],
	template_link_not_found: [[templates, 'deletes for good and leaves documents alone']],
	webhook_endpoint_not_found: [[webhooks, 'knows a delivery only at its own endpoint']],
	delivery_not_found: [[webhooks, 'knows a delivery only at its own endpoint']],
	signed_not_available: [[documents, 'in_progress goes to completed']],
	certificate_not_available: [[documents, 'in_progress goes to completed']],
	original_not_available: [[requests, 'has no original']],
	document_not_draft: [[documents, 'draft goes to in_progress by send, once']],
	document_not_in_progress: [[documents, 'in_progress goes to cancelled by cancel']],
	no_recipients_to_remind: [[documents, 'reminds everyone outstanding']],
	template_not_published: [[templates, 'rule 8']],
	embedding_not_configured: [[templates, 'rule 9']],
	unknown_role: [[templates, 'rule 1']],
	missing_roles: [[templates, 'rule 1']],
	duplicate_role: [[templates, 'rule 1']],
	unprefillable_field_type: [[templates, 'rule 6']],
	invalid_prefill_value: [[templates, 'rule 7']],
	signer_missing_signature_field: [[documents, 'refuses to send while a signer has no signature field']],
	max_recipients_exceeded: [[documents, 'takes ten recipients']],
	duplicate_email: [[documents, 'refuses an e-mail address that comes twice']],
	field_out_of_bounds: [[documents, 'refuses a field that leaves the page']],
	unknown_file: [[documents, 'refuses unknown and foreign files']],
	file_missing: [[requests, 'refuses what is not multipart']],
	file_empty: [[requests, 'refuses what is not multipart']],
	password_protected_pdf: [[requests, 'refuses types it does not take']],
	corrupt_pdf: [[requests, 'refuses types it does not take']],
	file_too_large: [[requests, 'takes 25 MB']],
	multipart_required: [[requests, 'refuses what is not multipart']],
	unsupported_file_type: [[requests, 'refuses types it does not take']],
	exactly_one_open_role_required: [[templates, 'refuses signers that are not exactly one per role']],
	assigned_signer_incomplete: [[templates, 'refuses signers that are not exactly one per role']],
	signers_incomplete: [[templates, 'refuses signers that are not exactly one per role']],
	template_has_no_signer: [[templates, 'refuses drafts, templates without a signer']],
	request_failed: [[account, 'lets 10 requests a minute through']],
	unauthorized: [[authentication, 'refuses a missing, malformed']],
	ip_not_allowed: [[authentication, 'refuses callers that the IP allowlist']],
	recipient_not_found: [[documents, 'reminds everyone outstanding']],
	not_found: [[requests, 'answers unknown paths with 404']],
	method_not_allowed: [[requests, 'answers unknown paths with 404']],
	request_too_large: [[requests, 'refuses a body of more than 16 MiB']],
	recipient_not_active: [[documents, 'asks everyone at once when parallel']],
	link_expired: [
		[templates, 'stops at its expiry'],
		[documents, 'gives download addresses'],
	],
	link_used_up: [[templates, 'starts a document for a visitor']],
	api_key_limit_reached: [[authentication, 'holds at most 10 keys']],
	internal_error: [[controls, 'answers a status after the effect']],
};
