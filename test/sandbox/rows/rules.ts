/**
 * Every numbered or bulleted rule of docs/service.md, and every row of its tables that is not about a field: section by section,
 * each with the tests that would fail if it were broken. coverage.test.ts holds that these tests exist. Fields are in
 * requestRows.ts and responseRows.ts; endpoints and codes in coverage.ts.
 */
import type { Shown } from '../coverage';

const inFile =
	(file: string) =>
	(title: string): Shown => [file, title];
const documents = inFile('documents.test.ts');
const requests = inFile('requests.test.ts');
const templates = inFile('templates.test.ts');
const webhooks = inFile('webhooks.test.ts');
const account = inFile('account.test.ts');
const authentication = inFile('authentication.test.ts');
const controls = inFile('controls.test.ts');
const defaults = inFile('defaults.test.ts');
const effects = inFile('fieldEffects.test.ts');
const signing = inFile('pages/signing.test.ts');
const startPage = inFile('pages/publicLink.test.ts');
const requestRows = inFile('requestRows.test.ts');
const responseRows = inFile('responseRows.test.ts');
const coverage = inFile('coverage.test.ts');
const inspection = inFile('pdf/inspectFile.test.ts');

const silences = inFile('silences.test.ts');

const answerRows = responseRows('%s: %s is in the answer of');
const takes = requestRows('%s, %s: %s takes what it may');
const allRequests = inFile('account.test.ts')('lets 10 requests a minute through');

export const RULES: Record<string, Record<string, readonly Shown[]>> = {
	'1. What the service does': {
		'files are uploaded, a document is made from them and optionally sent': [
			requests('accepts %s, whatever it is called'),
			documents('draft goes to in_progress by send, once'),
		],
		'templates are authored elsewhere; the API lists, reads and sends published ones': [
			templates('are authored elsewhere'),
			templates('lists published templates only'),
			templates('sends by default'),
		],
		'public links are created, listed, read, rotated and deleted': [
			templates('creates, reads and lists links'),
			templates('rotates'),
			templates('deletes for good and leaves documents alone'),
		],
		'a recipient can sign through a short-lived embed link': [
			signing('which only the allowed origins may frame'),
			signing('and is over when its lifetime has passed'),
		],
		'seven event types, a delivery log and replay': [
			webhooks('emits each of the seven types'),
			webhooks('limits the log, newest first'),
			webhooks('replays the stored payload unchanged'),
		],
		'GET /account': [account('reports the workspace, its plan')],
		'two modes, each invisible to the other; test documents are watermarked and never billed': [
			authentication('keeps the modes apart'),
			effects('of a %s key is watermarked'),
			account('counts live API sends only'),
		],
		'the API needs the Business or Ultimate plan': [authentication('refuses a plan without API access')],
		'timestamps are ISO 8601 UTC with milliseconds; ids have the prefix of their kind': [answerRows],
	},
	'2. Resources and their fields': {
		'title: its defaults': [documents('creates a draft by default'), templates('sends by default')],
		'recipient role: filled only on documents created from a template': [answerRows, templates('rule 1')],
		'a cc receives the finished document and can be given no fields': [
			documents('in_progress goes to completed'),
			documents('refuses a field for a cc'),
		],
		'pin: the access code to open the document': [signing('a wrong one is refused, the right one opens')],
		'coordinates: 0,0 is the top-left corner': [effects('is drawn on its page, in its place')],
		'widthNorm, heightNorm: the field must fit on the page': [documents('refuses a field that leaves the page')],
		'recipientId: may be omitted on create and assigned later': [documents('draft goes to in_progress by send')],
		'required: default true': [defaults('makes a field required')],
		'fieldKey: handle to prefill or read back by name': [
			templates('rules 2 to 4'),
			effects('%s reaches'),
			responseRows('%s: %s is in the answer of'),
		],
		'PREFILLED: fixed content that the signer cannot edit': [effects('a PREFILLED value is fixed')],
		'unknown properties are rejected on all request bodies': [requestRows('section 2, unknown properties')],
		'template status: PUBLISHED for every returned template': [templates('lists published templates only')],
		'template roles: order is zero-based': [templates('lists published templates only')],
		'a template field without a key cannot be prefilled': [templates('a field without a key')],
		'link url contains the slug; use_count counts completed starts': [
			templates('creates, reads and lists links'),
			templates('starts a document for a visitor'),
		],
		'signing_secret: only in the create response': [webhooks('creates an endpoint with a secret')],
		'response_body: up to 2000 characters': [webhooks('stores 2000 characters')],
		'account: what usage counts': [account('reports the workspace, its plan'), account('bills 40 cents')],
	},
	'3. States and transitions': {
		'document status draft': [documents('creates a draft by default')],
		'document status in_progress': [documents('draft goes to in_progress by send')],
		'document status completed': [documents('in_progress goes to completed')],
		'document status declined': [documents('in_progress goes to declined')],
		'document status cancelled': [documents('in_progress goes to cancelled')],
		'document status expired': [documents('in_progress goes to expired')],
		'recipient status waiting': [documents('asks everyone at once when parallel')],
		'recipient status sent': [documents('asks everyone at once when parallel')],
		'recipient status viewed': [documents('asks everyone at once when parallel')],
		'recipient status signed': [documents('asks everyone at once when parallel')],
		'recipient status reassigned': [documents('lets a recipient forward')],
		'(new) to draft: POST /documents with send false': [documents('creates a draft by default')],
		'(new) to in_progress: POST /documents with send true': [
			documents('refuses to send while a signer has no signature field'),
		],
		'(new) to in_progress: POST /templates/{id}/send with send true; document.sent': [
			templates('sends by default'),
			webhooks('emits each of the seven types'),
		],
		'(new) to draft: POST /templates/{id}/send with send false': [templates('sends by default')],
		'draft to in_progress: signature fields, 409 for others': [documents('draft goes to in_progress by send, once')],
		'in_progress to cancelled: audit event, document.cancelled, 409 for others': [
			documents('in_progress goes to cancelled'),
			webhooks('emits each of the seven types'),
		],
		'in_progress to completed: sealed, document.completed': [
			documents('in_progress goes to completed'),
			webhooks('emits each of the seven types'),
		],
		'in_progress to declined: document.declined, ends the document': [
			documents('in_progress goes to declined'),
			webhooks('emits each of the seven types'),
		],
		'in_progress to expired: document.expired': [
			documents('in_progress goes to expired'),
			webhooks('emits each of the seven types'),
		],
		'no other transition': [inFile('invariants.test.ts')('keeps the state table')],
		'routing: parallel asks everyone at once, sequential in list order': [
			documents('asks everyone at once when parallel'),
		],
		'PUT recipients answers raw statuses': [documents('replaces recipients in full'), answerRows],
	},
	'4. Endpoints, lists': {
		'limit and cursor': [account('pages with a cursor'), requestRows('section 4, %s: the query %s')],
		'data, has_more, next_cursor': [account('pages with a cursor'), account('ends a page that is exactly full')],
		'GET /webhooks and GET /templates/{id}/links answer everything': [defaults('gives all links of a template')],
		'GET /webhooks/{id}/deliveries takes a limit and no cursor': [webhooks('limits the log, newest first')],
	},
	'4. Endpoints, template send': {
		'rule 1: roles': [templates('rule 1')],
		'rule 2: unknown keys are ignored': [templates('rules 2 to 4')],
		'rule 3: an empty value leaves the field to its signer': [templates('rules 2 to 4')],
		'rule 4: a value makes the field prefilled': [templates('rules 2 to 4')],
		'rule 5: data-entry fields take values': [templates('rule 5')],
		'rule 6: unprefillable_field_type lists every key': [templates('rule 6')],
		'rule 7: invalid_prefill_value lists every key': [templates('rule 7')],
		'rule 8: published, and in the mode': [templates('rule 8')],
		'rule 9: embed_links for signers, 409 without origins': [templates('rule 9')],
		'rule 10: more than ten recipients is a validation_error': [templates('rule 10')],
		'embed requires send true': [templates('rule 9')],
		'the response carries roles': [templates('rule 1')],
	},
	'4. Endpoints, files': {
		'type from the bytes, not the name': [requests('answers a file object'), requests('accepts %s, whatever')],
		'accepted: PDF, DOCX, DOC, PNG, JPEG': [requests('accepts %s, whatever'), inspection('accepts %s')],
		'refused: WebP, HEIC, SVG': [requests('refuses %s with'), inspection('refuses %s')],
		'PDFs are parsed on upload': [requests('refuses %s with'), requests('refuses types it does not take')],
		'a single part named file': [requests('refuses what is not multipart')],
		'over 25 MB is file_too_large': [requests('takes 25 MB')],
	},
	'4. Endpoints, documents': {
		'files are merged in the listed order': [documents('merges files in the listed order')],
		'unknown_file carries file_ids': [documents('refuses unknown and foreign files')],
		'GET /documents/{id} of the other mode is 404': [authentication('keeps the modes apart')],
		'rule 1: field_out_of_bounds': [documents('refuses a field that leaves the page')],
		'rule 2: signer_missing_signature_field with the ids': [
			documents('refuses to send while a signer has no signature field'),
		],
		'rule 3: both PUT calls replace in full; field ids change': [
			documents('replaces recipients in full'),
			documents('replaces fields in full'),
		],
		'rule 4: recipient ids of a draft': [documents('draft goes to in_progress by send')],
		'rule 5: remind': [documents('reminds everyone outstanding')],
		'rule 6: variants, their 404s, 600 seconds': [
			documents('in_progress goes to completed'),
			documents('gives download addresses'),
			requests('has no original'),
		],
		'rule 7: embed link needs a document in progress and an origin': [
			templates('gives a signer a short-lived address'),
		],
	},
	'4. Endpoints, public links': {
		'newest first': [templates('creates, reads and lists links')],
		'rotate: a new slug; URL and embed URL stop at once': [
			templates('rotates'),
			startPage('stops at once when the link is rotated'),
		],
		'delete: permanent, documents unaffected': [templates('deletes for good and leaves documents alone')],
		'one per signer role, exactly one open, the others complete': [
			templates('refuses signers that are not exactly one per role'),
		],
		'max_uses stops the link': [
			templates('starts a document for a visitor'),
			startPage('says so when the link is used up'),
		],
		'the other errors': [templates('refuses drafts, templates without a signer')],
	},
	'4. Endpoints, webhooks': {
		'newest first, without secrets, the mode of the key': [
			webhooks('creates an endpoint with a secret'),
			authentication('keeps the modes apart'),
		],
		'delete: permanent, with its history': [webhooks('deletes for good, with its history')],
		'an endpoint inherits the mode of its key': [webhooks('holds five endpoints per mode')],
		'replay: unchanged, never deduplicated': [webhooks('replays the stored payload unchanged')],
		'delivery_not_found: delivery of a different endpoint': [webhooks('knows a delivery only at its own')],
	},
	'5. Authentication': {
		'rule 1: the bearer header, prefixes': [
			authentication('refuses a missing, malformed'),
			authentication('gives keys the prefix'),
		],
		'rule 2: the mode of the key': [authentication('gives keys the prefix'), authentication('keeps the modes apart')],
		'rule 3: at most 10 keys': [authentication('holds at most 10 keys')],
		'rule 4: scopes': [authentication('%s %s needs %s'), authentication('%s %s takes any valid key')],
		'rule 5: 401': [authentication('refuses a missing, malformed')],
		'rule 5: 402 api_not_enabled': [authentication('refuses a plan without API access')],
		'rule 5: 402 live_api_requires_paid_plan': [authentication('refuses live keys during a trial')],
		'rule 5: 403 insufficient_scope': [authentication('%s %s needs %s')],
		'rule 5: 403 of the IP allowlist': [authentication('refuses callers that the IP allowlist')],
		'rule 5: 403 org_suspended': [authentication('refuses everyone while the workspace is suspended')],
		'rule 6: deliveries are signed': [webhooks('delivers each event once, signed')],
	},
	'6. Events': {
		'document.sent': [webhooks('emits each of the seven types')],
		'recipient.viewed: first open only': [webhooks('delivers each event once, signed')],
		'recipient.signed': [webhooks('emits each of the seven types')],
		'document.completed: everyone signed, PDF sealed': [
			webhooks('emits each of the seven types'),
			documents('in_progress goes to completed'),
		],
		'document.declined': [webhooks('emits each of the seven types')],
		'document.expired': [webhooks('emits each of the seven types')],
		'document.cancelled': [webhooks('emits each of the seven types')],
		'recipient: only in events about one': [
			webhooks('delivers each event once, signed'),
			webhooks('names the person in recipient events'),
		],
		'signed_pdf and certificate are null': [answerRows],
		'header x-esign-signature': [webhooks('delivers each event once, signed')],
		'header x-esign-event': [webhooks('delivers each event once, signed')],
		'header x-esign-event-id': [webhooks('delivers each event once, signed')],
		'user agent': [webhooks('delivers each event once, signed')],
		'signature: HMAC-SHA256 over t, a dot and the raw body': [
			webhooks('is lowercase hex of HMAC-SHA256'),
			webhooks('delivers each event once, signed'),
		],
		'delivery rule 1: three attempts, 5 and 10 seconds; any 2xx': [
			webhooks('tries three times'),
			webhooks('takes any 2xx as success'),
		],
		'delivery rule 2: 10 seconds': [webhooks('gives up on an attempt after ten seconds')],
		'delivery rule 3: DISABLED after 20 failures, drops what is queued': [
			webhooks('disables an endpoint after 20 failures'),
			webhooks('starts counting again after a success'),
		],
		'delivery rule 4: nothing during a suspension, no live events during a trial': [
			webhooks('drops what happens during a suspension'),
		],
		'delivery rule 5: duplicates collapse, the event id is stable': [
			webhooks('collapses a second emission'),
			webhooks('tries three times'),
		],
		'delivery rule 6: every attempt is recorded': [
			webhooks('tries three times'),
			webhooks('records a connection that fails'),
		],
		'delivery rule 7: the secret is returned only on creation': [webhooks('creates an endpoint with a secret')],
	},
	'7. Errors': {
		'the envelope of every failure': [
			inFile('fuzz.test.ts')('JSON bodies on every endpoint'),
			requests('answers unknown paths with 404'),
		],
		'details name each bad field by its path': [takes, requests('names every bad field at once')],
		'extra key requiredPlan': [authentication('refuses a plan without API access')],
		'extra keys known_roles and missing_roles': [templates('rule 1')],
		'extra key file_ids': [documents('refuses unknown and foreign files')],
		'extra key cap': [webhooks('holds five endpoints per mode')],
		'signer_missing_signature_field:<ids>': [documents('draft goes to in_progress by send, once')],
		'max_recipients_exceeded:10': [documents('takes ten recipients')],
		'duplicate_email:<email>': [documents('refuses an e-mail address that comes twice')],
		'entitlement_required:<key>': [templates('refuses drafts, templates without a signer')],
		'the status of every code': [coverage('gives every code the status')],
		'400': [takes],
		'401': [authentication('refuses a missing, malformed')],
		'402': [authentication('refuses a plan without API access')],
		'403': [authentication('%s %s needs %s')],
		'404': [authentication('keeps the modes apart')],
		'409': [documents('draft goes to in_progress by send, once')],
		'413': [requests('takes 25 MB')],
		'415': [requests('refuses what is not multipart')],
		'429': [allRequests],
		'5xx': [controls('answers a status after the effect')],
	},
	'8. Limits': {
		'10 requests a minute per key, all requests; excess gives 429': [allRequests],
		'file size 25 MB': [requests('takes 25 MB')],
		'10 files per document': [takes],
		'10 recipients per document, signers and cc combined': [documents('takes ten recipients'), takes],
		'10 recipients per template send': [templates('rule 10'), takes],
		'500 fields per document': [takes],
		'embed link lifetime 60 to 3600 seconds, default 900': [takes, defaults('lets an embed link live')],
		'download URL lifetime 600 seconds': [documents('gives download addresses')],
		'10 API keys': [authentication('holds at most 10 keys')],
		'5 webhook endpoints per mode': [webhooks('holds five endpoints per mode')],
		'signature tolerance 300 seconds: t is now': [webhooks('delivers each event once, signed')],
		'3 attempts, 10 second timeout, disabled after 20 failures': [
			webhooks('tries three times'),
			webhooks('gives up on an attempt after ten seconds'),
			webhooks('disables an endpoint after 20 failures'),
		],
		'stored response body 2000 characters': [webhooks('stores 2000 characters')],
		'list page size 1 to 100, default 20': [
			requestRows('section 4, %s: the query %s'),
			defaults('gives 20 objects on a page'),
		],
		'field_values value 2000 characters': [takes],
		'x-ratelimit headers, retry-after': [allRequests],
		'40 and 200 documents included': [account('reports the workspace, its plan')],
		'a free threshold: further documents send, at 40 cents each': [account('bills 40 cents')],
		'usage counts API sends only, and no test sends': [account('counts live API sends only')],
		'the billing period is the calendar month': [
			account('reports the workspace, its plan'),
			account('starts again with the next month'),
		],
	},
	'9. Versioning': {
		'/v1, interface version 1.0.0': [coverage('describes the same endpoints as OpenAPI 3.1')],
		'user agent suffix /1': [webhooks('delivers each event once, signed')],
	},
};

/** The table of silences in , by its questions: what the sandbox decided, and holds to. */
export const SILENCES: Record<string, readonly Shown[]> = {
	'code of a 401; of an IP refusal': [
		authentication('refuses a missing, malformed'),
		authentication('refuses callers that the IP allowlist'),
	],
	'unknown path, method, recipient': [
		requests('answers unknown paths with 404'),
		documents('reminds everyone outstanding'),
	],
	'scopes of webhook endpoints, embed link': [
		authentication('%s %s takes any valid key'),
		authentication('%s %s needs %s'),
	],
	expiry: [documents('in_progress goes to expired')],
	"a field given to a cc; a field or a link's signer with an unknown id": [
		documents('refuses a field for a cc'),
		templates('refuses signers that are not exactly one per role'),
	],
	'body of PUT recipients': [documents('replaces recipients in full'), answerRows],
	'more than 10 recipients on POST documents and PUT recipients': [documents('takes ten recipients'), takes],
	'`duplicate_email`': [documents('refuses an e-mail address that comes twice'), silences('refuses an e-mail address')],
	'a file id in two documents': [documents('merges files in the listed order')],
	'webhook URLs with http': [takes, webhooks('delivers each event once, signed')],
	'success of template send': [coverage('answers 201 to what creates')],
	'"last 20 deliveries all failed"': [webhooks('starts counting again after a success')],
	'extra keys of a refusal': [templates('rule 1'), documents('refuses unknown and foreign files')],
	'offending keys of a prefill error': [templates('rule 6'), templates('rule 7')],
	'either PUT on a document that is not a draft': [documents('refuses both PUT calls')],
	'remind on a document not in progress': [silences('reminds nobody whose turn')],
	'a coordinate above 1; a page past the end': [takes, documents('refuses a field that leaves the page')],
	'25 MB': [requests('takes 25 MB')],
	'unknown variant, malformed JSON, `embed` with `send: false`': [
		documents('knows the three variants'),
		requests('refuses malformed JSON'),
		templates('rule 9'),
	],
	'`certificate` before completion': [documents('in_progress goes to completed')],
	'a tick, a date in `field_values`': [templates('rule 5')],
	'`documents_billable`': [account('bills 40 cents'), account('counts live API sends only')],
	'signing secret': [webhooks('is lowercase hex of HMAC-SHA256')],
	'order of every list': [
		account('pages with a cursor'),
		templates('lists published templates only'),
		webhooks('limits the log'),
	],
	'order of checks': [silences('checks key, IP, suspension')],
	'which requests count against the rate limit': [allRequests],
	'window of the rate limit': [allRequests],
	'several rules broken by one field': [takes],
	'`roles[].id`': [responseRows('%s: nothing else is in the answers')],
	'a draft template by `GET /templates/{id}`': [templates('rule 8')],
	'template send and signature fields': [silences('asks a template for signature fields')],
	'a document without any signer': [silences('sends no document that nobody would sign')],
	'a source that cannot be built': [requests('has no original')],
	'recipients on a draft': [documents('creates a draft by default'), documents('replaces recipients in full')],
	'PUT recipients': [documents('replaces recipients in full'), silences('takes fields from people who leave')],
	'cc recipients': [documents('in_progress goes to completed')],
	decline: [webhooks('emits each of the seven types')],
	reassign: [documents('lets a recipient forward'), silences('lets whoever takes over')],
	'a phone in `field_values`': [templates('rule 5')],
	'unprefillable and invalid values together': [silences('names unprefillable fields before')],
	'cc roles on a public link': [silences('fills no cc role by a public link')],
	'a name or an e-mail of the open signer of a link': [templates('creates, reads and lists links')],
	'the visitor of a public link': [templates('holds the %s of a visitor'), startPage('asks again after %s')],
	'embed link for a cc': [templates('gives a signer a short-lived address')],
	'`redirect_url` of an embed link': [requestRows('%s, %s: %s takes what it may')],
	'an expired or used-up public link': [
		startPage('says so when the link is used up'),
		startPage('says so when the link has expired'),
	],
	'a download address': [documents('gives download addresses')],
	replay: [silences('tries a replay three times'), webhooks('disables an endpoint after 20 failures')],
	'queued retries when a suspension begins': [silences('drops the retries that are queued')],
	'`t` of a signature after `advance`': [silences('signs with the clock outside')],
	'a second part, or a field named `file` without a file name': [
		requests('refuses what is not multipart'),
		silences('misses the file when a field named file'),
	],
	'JSON bodies above 16 MiB': [requests('refuses a body of more than 16 MiB')],
	'an eleventh API key': [authentication('holds at most 10 keys')],
	'an https address without a host; a date-time that is no moment (`23:59:60Z`, `+02`)': [takes],
};

/** The tables of section 4: what a success answers, where it is not 200. */
export const CREATED: readonly string[] = [
	'POST /files',
	'POST /documents',
	'POST /templates/{id}/links',
	'POST /webhooks',
];

/** The tables of section 7: the codes that each status has. */
export const STATUS_OF_CODES: Record<number, readonly string[]> = {
	400: [
		...['validation_error', 'unknown_role', 'missing_roles', 'duplicate_role', 'unprefillable_field_type'],
		...['invalid_prefill_value', 'signer_missing_signature_field', 'max_recipients_exceeded', 'duplicate_email'],
		...['field_out_of_bounds', 'unknown_file', 'file_missing', 'file_empty', 'password_protected_pdf', 'corrupt_pdf'],
		...['exactly_one_open_role_required', 'assigned_signer_incomplete', 'signers_incomplete'],
		'template_has_no_signer',
	],
	402: [
		...['api_not_enabled', 'live_api_requires_paid_plan', 'entitlement_required'],
		'webhook_endpoint_limit_reached',
	],
	403: ['org_suspended', 'insufficient_scope'],
	404: [
		...['document_not_found', 'template_not_found', 'template_link_not_found', 'webhook_endpoint_not_found'],
		...['delivery_not_found', 'signed_not_available', 'certificate_not_available', 'original_not_available'],
	],
	409: [
		...['document_not_draft', 'document_not_in_progress', 'no_recipients_to_remind', 'template_not_published'],
		'embedding_not_configured',
	],
	413: ['file_too_large'],
	415: ['multipart_required', 'unsupported_file_type'],
	429: ['request_failed'],
};
