/**
 * Every row of every table of docs/service.md that describes what a request may hold. requestRows.test.ts makes a test of each at
 * the wire, and holds the rows against the properties of the schemas that are served.
 *
 * Texts that begin with `$` stand for something in the workspace of the test: `$file`, `$recipient`, ...
 */
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
	required,
	text,
	type Kind,
} from './kinds';

export interface Table {
	/** Section of docs/service.md, and what its table is about. */
	title: string;
	endpoint: string;
	/** Where in the body the object lies; empty for the body itself. */
	at: string;
	/** A body that is accepted as it is. */
	body: Record<string, unknown>;
	rows: Record<string, Kind>;
}

const FIELD = { pageNumber: 1, xNorm: 0, yNorm: 0, widthNorm: 0, heightNorm: 0, type: 'SIGNATURE' };
const PERSON = { name: 'Ann', email: 'ann@example.com' };
const people = (index: number) => ({ name: `P${index}`, email: `p${index}@example.com` });

const recipientRows: Record<string, Kind> = {
	name: required(text(1, 160)),
	email: required(email(190)),
	type: oneOf('signer', 'cc'),
	phone: text(0, 32),
	pin: text(0, 20),
};

const fieldRows: Record<string, Kind> = {
	id: anyText('', 'mine'),
	recipientId: orNull(anyText('$recipient')),
	pageNumber: required(integer(1)),
	xNorm: required(number(0, 1)),
	yNorm: required(number(0, 1)),
	widthNorm: required(number(0, 1)),
	heightNorm: required(number(0, 1)),
	type: required(
		oneOf(
			...['SIGNATURE', 'INITIALS', 'DATE', 'TEXT', 'CHECKBOX', 'DROPDOWN', 'EMAIL', 'RADIO_GROUP'],
			...['NAME', 'TITLE', 'COMPANY', 'STAMP', 'TEXTAREA', 'NUMBER', 'PHONE'],
		),
	),
	required: flag,
	placeholderText: text(0, 120),
	helpText: text(0, 500),
	dropdownOptions: list({ minimum: 0, maximum: 40 }, () => 'x'.repeat(80), { value: 'x'.repeat(81) }),
	dateFormat: text(0, 20),
	radioLayout: oneOf('STACKED', 'INLINE'),
	value: text(0, 2000),
	fontFamily: oneOf('HELVETICA', 'TIMES', 'COURIER'),
	fontBold: flag,
	fontItalic: flag,
	fontSize: integer(6, 48),
	fontColor: pattern(['#000000', '#a0B1c2', '#FFFFFF'], ['', '#FFF', '000000', '#00000g', '#0000000', ' #000000']),
	fieldKey: pattern(
		['a', 'total_2', `a${'_'.repeat(62)}`],
		['', 'Total', '2nd', '_a', 'a-b', 'a b', `a${'x'.repeat(63)}`],
	),
	customFieldId: anyText('', 'custom_1'),
	fillMode: oneOf('SIGNER_FILLED', 'PREFILLED'),
};

const embedRows: Record<string, Kind> = {
	expires_in: integer(60, 3600),
	redirect_url: httpsUri(2000),
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
			role: required({ takes: [TEN_ROLES[0]], refuses: text(1, 80).refuses.filter(({ value }) => value !== 'text') }),
			name: required(text(1, 120)),
			email: required(email(190)),
			phone: text(0, 32),
		},
	},
	{
		title: 'section 2, field',
		endpoint: 'POST /documents',
		at: 'fields.0',
		body: documentBody,
		// A document that is being created has no recipient ids yet.
		rows: { ...fieldRows, recipientId: orNull(refusing(anyText(), '$recipient')) },
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
			recipients: required({
				takes: [sendBody.recipients],
				refuses: list({ minimum: 1, maximum: 10 }, castOf, { value: { role: 'x', name: 'A' }, at: '0.email' }).refuses,
			}),
			title: text(1, 160),
			field_values: {
				takes: [{}, { unknown: '' }, { note: 'x'.repeat(2000) }],
				refuses: [
					{ value: { note: 'x'.repeat(2001) }, at: 'note' },
					{ value: { note: 12 }, at: 'note' },
					{ value: { note: null }, at: 'note' },
					...object.refuses,
				],
			},
			send: flag,
			embed: { takes: [{}], refuses: object.refuses },
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
			files: required(list({ minimum: 1, maximum: 10 }, () => '$file', { value: 12 })),
			recipients: required(manyRecipients),
			title: text(1, 160),
			routing: oneOf('parallel', 'sequential'),
			fields: manyFields,
			send: { takes: [false], refuses: flag.refuses },
		},
	},
	{
		title: 'section 4, PUT recipients',
		endpoint: 'PUT /documents/{id}/recipients',
		at: '',
		body: { recipients: [PERSON] },
		rows: {
			recipients: required(manyRecipients),
		},
	},
	{
		title: 'section 4, PUT fields',
		endpoint: 'PUT /documents/{id}/fields',
		at: '',
		body: { fields: [FIELD] },
		rows: { fields: required(manyFields) },
	},
	{
		title: 'section 4, remind',
		endpoint: 'POST /documents/{id}/remind',
		at: '',
		body: {},
		rows: {
			recipient_id: anyText('$signer'),
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
			signers: required({
				takes: [linkBody.signers],
				refuses: [
					{ value: [] },
					{ value: [{ ...openSigner, is_open: 'yes' }], at: '0.is_open' },
					{ value: [openSigner], code: 'signers_incomplete' },
					...list({ minimum: 1 }, () => openSigner, { value: 12 }).refuses,
				],
			}),
			label: text(0, 120),
			headline: text(0, 160),
			message: text(0, 600),
			redirect_url: httpsUri(500),
			expires_at: dateTime,
			max_uses: integer(1, 100_000),
		},
	},
	{
		title: 'section 4, POST /templates/{id}/links, the open signer',
		endpoint: 'POST /templates/{id}/links',
		at: 'signers.0',
		body: linkBody,
		rows: {
			placeholder_id: required(anyText('$openRole')),
			is_open: required(refusing(flag, false, 'exactly_one_open_role_required')),
			name: text(1, 120),
			email: email(190),
		},
	},
	{
		title: 'section 4, POST /templates/{id}/links, a signer who is not open',
		endpoint: 'POST /templates/{id}/links',
		at: 'signers.1',
		body: linkBody,
		rows: {
			placeholder_id: required(refusing(anyText('$otherRole'), 'ph_unknown')),
			is_open: required(refusing(flag, true, 'exactly_one_open_role_required')),
			name: required(text(1, 120), 'assigned_signer_incomplete'),
			email: required(email(190), 'assigned_signer_incomplete'),
		},
	},
	{
		title: 'section 4, POST /webhooks',
		endpoint: 'POST /webhooks',
		at: '',
		body: { url: 'https://example.com/hook', events: ['document.sent'] },
		rows: {
			url: required(refusing(httpsUri(2000), 'http://localhost.example.com/')),
			events: required(list({ minimum: 1, maximum: undefined }, () => 'document.sent', { value: 'document.opened' })),
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
	rows: Record<string, { takes: readonly string[]; refuses: readonly string[] }>;
}

const limit = {
	takes: ['1', '100'],
	refuses: ['', '0', '101', '-1', '1.5', 'many', 'null', '1e1', ' 10', '10 ', '+10', '0x10', '10.0'],
};
const cursor = {
	takes: [],
	refuses: ['', 'made-up'],
};

export const QUERY_TABLES: readonly QueryTable[] = [
	{
		endpoint: 'GET /documents',
		rows: {
			status: {
				takes: ['draft', 'in_progress', 'completed', 'declined', 'cancelled', 'expired'],
				refuses: ['', 'sent', 'DRAFT'],
			},
			limit,
			cursor,
		},
	},
	{
		endpoint: 'GET /templates',
		rows: {
			limit,
			cursor,
		},
	},
	{
		endpoint: 'GET /webhooks/{id}/deliveries',
		rows: { limit },
	},
];
