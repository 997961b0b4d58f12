/**
 * Every row of every table of docs/service.md that describes what a request may hold. requestRows.test.ts makes a test of each at
 * the wire, and holds the rows against the properties of the schemas that are served.
 *
 * Texts that begin with `$` stand for something in the workspace of the test: `$file`, `$recipient`, ...
 */
import type { Shown } from '../coverage';
import {
	anyText,
	dateTime,
	email,
	flag,
	httpsUri,
	integer,
	list,
	number,
	object,
	oneOf,
	orNull,
	pattern,
	refusing,
	text,
	type Kind,
} from './kinds';

export interface Row {
	kind: Kind;
	/** A code is that of the refusal when the field is missing, where it is not validation_error. */
	required?: boolean | string;
	/** What shows the default that docs/service.md states. */
	byDefault?: Shown;
	/** What shows that the value has the effect that docs/service.md states. */
	effect?: Shown;
}

export interface Table {
	/** Section of docs/service.md, and what its table is about. */
	title: string;
	endpoint: string;
	/** Where in the body the object lies; empty for the body itself. */
	at: string;
	/** A body that is accepted as it is. */
	body: Record<string, unknown>;
	rows: Record<string, Row>;
}

const documents = 'documents.test.ts';
const templates = 'templates.test.ts';
const webhooks = 'webhooks.test.ts';
const effects = 'fieldEffects.test.ts';
const defaults = 'defaults.test.ts';
const startPage = 'pages/publicLink.test.ts';
const signingPage = 'pages/signing.test.ts';
const shown = (file: string, title: string): Shown => [file, title];

const FIELD = { pageNumber: 1, xNorm: 0, yNorm: 0, widthNorm: 0, heightNorm: 0, type: 'SIGNATURE' };
const PERSON = { name: 'Ann', email: 'ann@example.com' };
const people = (index: number) => ({ name: `P${index}`, email: `p${index}@example.com` });

const recipientRows: Record<string, Row> = {
	name: { required: true, kind: text(1, 160) },
	email: { required: true, kind: email(190) },
	type: {
		kind: oneOf('signer', 'cc'),
		byDefault: shown(defaults, 'makes a recipient a signer'),
		effect: shown(documents, 'in_progress goes to completed when all signers have signed'),
	},
	phone: { kind: text(0, 32) },
	pin: { kind: text(0, 20), effect: shown(signingPage, 'a wrong one is refused, the right one opens') },
};

const reaches = shown(effects, '%s reaches');
const fieldRows: Record<string, Row> = {
	id: { kind: anyText('', 'mine') },
	recipientId: { kind: orNull(anyText('$recipient')), effect: shown(documents, 'draft goes to in_progress by send') },
	pageNumber: { required: true, kind: integer(1), effect: shown(effects, 'is drawn on its page, in its place') },
	xNorm: { required: true, kind: number(0, 1), effect: shown(effects, 'is drawn on its page, in its place') },
	yNorm: { required: true, kind: number(0, 1), effect: shown(effects, 'is drawn on its page, in its place') },
	widthNorm: { required: true, kind: number(0, 1), effect: shown(documents, 'refuses a field that leaves the page') },
	heightNorm: { required: true, kind: number(0, 1), effect: shown(documents, 'refuses a field that leaves the page') },
	type: {
		required: true,
		kind: oneOf(
			...['SIGNATURE', 'INITIALS', 'DATE', 'TEXT', 'CHECKBOX', 'DROPDOWN', 'EMAIL', 'RADIO_GROUP'],
			...['NAME', 'TITLE', 'COMPANY', 'STAMP', 'TEXTAREA', 'NUMBER', 'PHONE'],
		),
	},
	required: {
		kind: flag,
		byDefault: shown(defaults, 'makes a field required'),
		effect: shown(defaults, 'makes a field required'),
	},
	placeholderText: { kind: text(0, 120), effect: reaches },
	helpText: { kind: text(0, 500), effect: reaches },
	dropdownOptions: {
		kind: list({ minimum: 0, maximum: 40 }, () => 'x'.repeat(80), { value: 'x'.repeat(81) }),
		effect: reaches,
	},
	dateFormat: { kind: text(0, 20), effect: reaches },
	radioLayout: { kind: oneOf('STACKED', 'INLINE'), effect: reaches },
	value: { kind: text(0, 2000), effect: reaches },
	fontFamily: { kind: oneOf('HELVETICA', 'TIMES', 'COURIER'), effect: reaches },
	fontBold: { kind: flag, effect: reaches },
	fontItalic: { kind: flag, effect: reaches },
	fontSize: { kind: integer(6, 48), effect: reaches },
	fontColor: {
		kind: pattern(['#000000', '#a0B1c2', '#FFFFFF'], ['', '#FFF', '000000', '#00000g', '#0000000', ' #000000']),
		effect: reaches,
	},
	fieldKey: {
		kind: pattern(
			['a', 'total_2', `a${'_'.repeat(62)}`],
			['', 'Total', '2nd', '_a', 'a-b', 'a b', `a${'x'.repeat(63)}`],
		),
		effect: reaches,
	},
	customFieldId: { kind: anyText('', 'custom_1') },
	fillMode: { kind: oneOf('SIGNER_FILLED', 'PREFILLED'), effect: shown(effects, 'a PREFILLED value is fixed') },
};

const embedRows: Record<string, Row> = {
	expires_in: {
		kind: integer(60, 3600),
		byDefault: shown(defaults, 'lets an embed link live for 900 seconds'),
		effect: shown(signingPage, 'and is over when its lifetime has passed'),
	},
	redirect_url: { kind: httpsUri(2000), effect: shown(signingPage, 'which only the allowed origins may frame') },
};

const documentBody = { files: ['$file'], recipients: [PERSON], fields: [FIELD] };
const manyRecipients = list({ minimum: 1, maximum: 10, code: 'max_recipients_exceeded:10' }, people, {
	value: { name: 'A' },
	at: '0.email',
});
const manyFields = list({ minimum: 0, maximum: 500 }, () => FIELD, {
	value: { ...FIELD, pageNumber: 0 },
	at: '0.pageNumber',
});

/** The roles of a template, with the longest and the shortest name that a role may have. */
export const TEN_ROLES = ['x'.repeat(80), 'x', ...Array.from({ length: 8 }, (_role, index) => `Role ${index}`)];
const castOf = (index: number) => ({ role: TEN_ROLES[index] ?? 'One more', ...people(index) });
const sendBody = { recipients: Array.from({ length: 10 }, (_one, index) => castOf(index)) };

const openSigner = { placeholder_id: '$openRole', is_open: true };
const otherSigner = { placeholder_id: '$otherRole', is_open: false, name: 'Bob', email: 'bob@example.com' };
const linkBody = { signers: [openSigner, otherSigner] };
const starts = shown(startPage, 'shows headline and message');

export const REQUEST_TABLES: readonly Table[] = [
	{
		title: 'section 2, recipient input',
		endpoint: 'POST /documents',
		at: 'recipients.0',
		body: documentBody,
		rows: recipientRows,
	},
	{
		title: 'section 2, recipient input',
		endpoint: 'PUT /documents/{id}/recipients',
		at: 'recipients.0',
		body: { recipients: [PERSON] },
		rows: recipientRows,
	},
	{
		title: 'section 2, recipient input of a template',
		endpoint: 'POST /templates/{id}/send',
		at: 'recipients.0',
		body: sendBody,
		rows: {
			role: {
				required: true,
				kind: { takes: [TEN_ROLES[0]], refuses: text(1, 80).refuses.filter(({ value }) => value !== 'text') },
				effect: shown(templates, 'rule 1'),
			},
			name: { required: true, kind: text(1, 120) },
			email: { required: true, kind: email(190) },
			phone: { kind: text(0, 32) },
		},
	},
	{
		title: 'section 2, field',
		endpoint: 'POST /documents',
		at: 'fields.0',
		body: documentBody,
		// A document that is being created has no recipient ids yet.
		rows: { ...fieldRows, recipientId: { kind: orNull(refusing(anyText(), '$recipient')) } },
	},
	{
		title: 'section 2, field',
		endpoint: 'PUT /documents/{id}/fields',
		at: 'fields.0',
		body: { fields: [FIELD] },
		rows: fieldRows,
	},
	{
		title: 'section 4, POST /templates/{id}/send',
		endpoint: 'POST /templates/{id}/send',
		at: '',
		body: sendBody,
		rows: {
			recipients: {
				required: true,
				kind: {
					takes: [sendBody.recipients],
					refuses: list({ minimum: 1, maximum: 10 }, castOf, { value: { role: 'x', name: 'A' }, at: '0.email' })
						.refuses,
				},
				effect: shown(templates, 'rule 10'),
			},
			title: {
				kind: text(1, 160),
				byDefault: shown(templates, 'sends by default'),
				effect: shown(templates, 'sends by default'),
			},
			field_values: {
				kind: {
					takes: [{}, { unknown: '' }, { note: 'x'.repeat(2000) }],
					refuses: [
						{ value: { note: 'x'.repeat(2001) }, at: 'note' },
						{ value: { note: 12 }, at: 'note' },
						{ value: { note: null }, at: 'note' },
						...object.refuses,
					],
				},
				effect: shown(templates, 'rules 2 to 4'),
			},
			send: {
				kind: flag,
				byDefault: shown(templates, 'sends by default'),
				effect: shown(templates, 'sends by default'),
			},
			embed: { kind: { takes: [{}], refuses: object.refuses }, effect: shown(templates, 'rule 9') },
		},
	},
	{
		title: 'section 4, POST /templates/{id}/send, embed',
		endpoint: 'POST /templates/{id}/send',
		at: 'embed',
		body: { ...sendBody, embed: {} },
		rows: embedRows,
	},
	{
		title: 'section 4, POST /documents',
		endpoint: 'POST /documents',
		at: '',
		body: documentBody,
		rows: {
			files: {
				required: true,
				kind: list({ minimum: 1, maximum: 10 }, () => '$file', { value: 12 }),
				effect: shown(documents, 'merges files in the listed order'),
			},
			recipients: { required: true, kind: manyRecipients },
			title: {
				kind: text(1, 160),
				byDefault: shown(documents, 'creates a draft by default'),
				effect: shown(defaults, 'gives a document the title'),
			},
			routing: {
				kind: oneOf('parallel', 'sequential'),
				byDefault: shown(documents, 'asks everyone at once when parallel'),
				effect: shown(documents, 'asks everyone at once when parallel'),
			},
			fields: { kind: manyFields, effect: shown(effects, '%s reaches') },
			send: {
				kind: { takes: [false], refuses: flag.refuses },
				byDefault: shown(documents, 'creates a draft by default'),
				effect: shown(documents, 'refuses to send while a signer has no signature field'),
			},
		},
	},
	{
		title: 'section 4, PUT recipients',
		endpoint: 'PUT /documents/{id}/recipients',
		at: '',
		body: { recipients: [PERSON] },
		rows: {
			recipients: {
				required: true,
				kind: manyRecipients,
				effect: shown(documents, 'replaces recipients in full'),
			},
		},
	},
	{
		title: 'section 4, PUT fields',
		endpoint: 'PUT /documents/{id}/fields',
		at: '',
		body: { fields: [FIELD] },
		rows: { fields: { required: true, kind: manyFields, effect: shown(documents, 'replaces fields in full') } },
	},
	{
		title: 'section 4, remind',
		endpoint: 'POST /documents/{id}/remind',
		at: '',
		body: {},
		rows: {
			recipient_id: {
				kind: anyText('$signer'),
				byDefault: shown(documents, 'reminds everyone outstanding'),
				effect: shown(documents, 'reminds everyone outstanding'),
			},
		},
	},
	{
		title: 'section 4, embed link',
		endpoint: 'POST /documents/{id}/recipients/{recipientId}/embed-link',
		at: '',
		body: {},
		rows: embedRows,
	},
	{
		title: 'section 4, POST /templates/{id}/links',
		endpoint: 'POST /templates/{id}/links',
		at: '',
		body: linkBody,
		rows: {
			signers: {
				required: true,
				kind: {
					takes: [linkBody.signers],
					refuses: [
						{ value: [] },
						{ value: [{ ...openSigner, is_open: 'yes' }], at: '0.is_open' },
						{ value: [openSigner], code: 'signers_incomplete' },
						...list({ minimum: 1 }, () => openSigner, { value: 12 }).refuses,
					],
				},
				effect: shown(templates, 'refuses signers that are not exactly one per role'),
			},
			label: { kind: text(0, 120), effect: shown(templates, 'creates, reads and lists links') },
			headline: { kind: text(0, 160), effect: starts },
			message: { kind: text(0, 600), effect: starts },
			redirect_url: { kind: httpsUri(500), effect: shown(startPage, 'brings a visitor who has signed') },
			expires_at: { kind: dateTime, effect: shown(templates, 'stops at its expiry') },
			max_uses: { kind: integer(1, 100_000), effect: shown(templates, 'starts a document for a visitor') },
		},
	},
	{
		title: 'section 4, POST /templates/{id}/links, the open signer',
		endpoint: 'POST /templates/{id}/links',
		at: 'signers.0',
		body: linkBody,
		rows: {
			placeholder_id: { required: true, kind: anyText('$openRole') },
			is_open: { required: true, kind: refusing(flag, false, 'exactly_one_open_role_required') },
			name: { kind: text(1, 120) },
			email: { kind: email(190) },
		},
	},
	{
		title: 'section 4, POST /templates/{id}/links, a signer who is not open',
		endpoint: 'POST /templates/{id}/links',
		at: 'signers.1',
		body: linkBody,
		rows: {
			placeholder_id: { required: true, kind: refusing(anyText('$otherRole'), 'ph_unknown') },
			is_open: { required: true, kind: refusing(flag, true, 'exactly_one_open_role_required') },
			name: { required: 'assigned_signer_incomplete', kind: text(1, 120) },
			email: { required: 'assigned_signer_incomplete', kind: email(190) },
		},
	},
	{
		title: 'section 4, POST /webhooks',
		endpoint: 'POST /webhooks',
		at: '',
		body: { url: 'https://example.com/hook', events: ['document.sent'] },
		rows: {
			url: { required: true, kind: refusing(httpsUri(2000), 'http://localhost.example.com/') },
			events: {
				required: true,
				kind: list({ minimum: 1, maximum: undefined }, () => 'document.sent', { value: 'document.opened' }),
				effect: shown(webhooks, 'emits cancelled and expired, and only what an endpoint asked for'),
			},
		},
	},
	...['send', 'cancel'].map((act) => empty(`POST /documents/{id}/${act}`)),
	empty('POST /template-links/{linkId}/rotate'),
	empty('POST /webhooks/{id}/deliveries/{deliveryId}/replay'),
];

/** A call that takes no body: there is no row, and unknown properties are refused there too. */
function empty(endpoint: string): Table {
	return { title: 'section 4, no body', endpoint, at: '', body: {}, rows: {} };
}

/** Queries, as their texts. */
export interface QueryTable {
	endpoint: string;
	rows: Record<string, { takes: readonly string[]; refuses: readonly string[]; byDefault?: Shown; effect: Shown }>;
}

const limit = (file: string, title: string) => ({
	takes: ['1', '100'],
	refuses: ['', '0', '101', '-1', '1.5', 'many', 'null'],
	byDefault: shown(defaults, 'gives 20 objects on a page'),
	effect: shown(file, title),
});
const cursor = (file: string, title: string) => ({
	takes: [],
	refuses: ['', 'made-up'],
	effect: shown(file, title),
});
const account = 'account.test.ts';

export const QUERY_TABLES: readonly QueryTable[] = [
	{
		endpoint: 'GET /documents',
		rows: {
			status: {
				takes: ['draft', 'in_progress', 'completed', 'declined', 'cancelled', 'expired'],
				refuses: ['', 'sent', 'DRAFT'],
				effect: shown(documents, 'filters lists by status'),
			},
			limit: limit(account, 'pages with a cursor'),
			cursor: cursor(account, 'pages with a cursor'),
		},
	},
	{
		endpoint: 'GET /templates',
		rows: {
			limit: limit(account, 'ends a page that is exactly full'),
			cursor: cursor(account, 'ends a page that is exactly full'),
		},
	},
	{
		endpoint: 'GET /webhooks/{id}/deliveries',
		rows: { limit: limit(webhooks, 'limits the log, newest first') },
	},
];
