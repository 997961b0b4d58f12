/**
 * What a request may hold by docs/service.md, sections 2 and 4, in the words of answers.ts;
 * description.test.ts holds them against the schemas that are served, which are those that requests
 * are validated with.
 */
import type { Described } from './answers';

const email = 'email up to 190';
const https = (length: number) => `url ^https://[^/?#] up to ${length}`;
const fraction = 'number from 0 up to 1';
const people = 'list of RecipientInput from 1';
const fields = 'list of FieldInput up to 500';

export const REQUESTS: Record<string, Described> = {
	RecipientInput: {
		...{ name: 'text from 1 up to 160', email, 'type?': 'signer, cc' },
		...{ 'phone?': 'text up to 32', 'pin?': 'text up to 20' },
	},
	TemplateRecipientInput: {
		...{
			role: 'text from 1 up to 80',
			name: 'text from 1 up to 120',
			email,
			'phone?': 'text up to 32',
		},
	},
	FieldInput: {
		...{
			'id?': 'text',
			'recipientId?': 'text or null',
			pageNumber: 'integer from 1',
			type: 'FieldType',
		},
		...{ xNorm: fraction, yNorm: fraction, widthNorm: fraction, heightNorm: fraction },
		...{
			'required?': 'boolean',
			'placeholderText?': 'text up to 120',
			'helpText?': 'text up to 500',
		},
		'dropdownOptions?': 'list of text up to 80 up to 40',
		...{
			'dateFormat?': 'text up to 20',
			'radioLayout?': 'STACKED, INLINE',
			'value?': 'text up to 2000',
		},
		...{
			'fontFamily?': 'HELVETICA, TIMES, COURIER',
			'fontBold?': 'boolean',
			'fontItalic?': 'boolean',
		},
		...{ 'fontSize?': 'integer from 6 up to 48', 'fontColor?': '^#[0-9A-Fa-f]{6}$' },
		...{ 'fieldKey?': '^[a-z][a-z0-9_]{0,62}$', 'customFieldId?': 'text', 'fillMode?': 'FillMode' },
	},
	// An eleventh recipient of a document has a code of its own.
	CreateDocument: {
		...{
			files: 'list of text from 1 up to 10',
			recipients: people,
			'title?': 'text from 1 up to 160',
		},
		...{ 'routing?': 'parallel, sequential', 'fields?': fields, 'send?': 'boolean' },
	},
	ReplaceRecipients: { recipients: people },
	ReplaceFields: { fields },
	Remind: { 'recipient_id?': 'text' },
	EmbedOptions: { 'expires_in?': 'integer from 60 up to 3600', 'redirect_url?': https(2000) },
	SendTemplate: {
		...{
			recipients: 'list of TemplateRecipientInput from 1 up to 10',
			'title?': 'text from 1 up to 160',
		},
		...{ 'field_values?': 'text up to 2000 by key', 'send?': 'boolean', 'embed?': 'EmbedOptions' },
	},
	CreateTemplateLink: {
		...{
			signers: 'list of LinkSignerInput from 1',
			'label?': 'text up to 120',
			'headline?': 'text up to 160',
		},
		...{
			'message?': 'text up to 600',
			'redirect_url?': https(500),
			'max_uses?': 'integer above 0 up to 100000',
		},
		'expires_at?': String.raw`date-time ^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:[0-5]\d(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$`,
	},
	// Whoever is not open needs a name and an address: assigned_signer_incomplete.
	LinkSignerInput: {
		...{
			placeholder_id: 'text',
			is_open: 'boolean',
			'name?': 'text from 1 up to 120',
			'email?': email,
		},
	},
	CreateWebhookEndpoint: {
		url: String.raw`url ^(https://[^/?#]|http://(localhost|127(\.\d{1,3}){3}|\[::1\])([:/?#]|$)) up to 2000`,
		events: 'list of EventType from 1',
	},
};

const limit = 'integer from 1 up to 100';

export const QUERIES: Record<string, Described> = {
	'GET /documents': { status: 'DocumentStatus', limit, cursor: 'text' },
	'GET /templates': { limit, cursor: 'text' },
	'GET /webhooks/{id}/deliveries': { limit },
};
