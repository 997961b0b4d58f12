/**
 * What an error code of the service means to the person who reads it, and what that person can do.
 */
type Explanation = readonly [message: string, remedy: string];

const NOT_COMPLETED =
	'It is made when the last signer has signed: wait until the document is completed.';

const invisible = (things: string) =>
	`Check the ID. A test key does not see the ${things} of a live key, nor a live key those of a test key.`;

/**
 * Every code of docs/service.md section 7 with which the service refuses. Codes that append a
 * detail stand here without it; `{detail}` is where the detail goes.
 */
export const ERROR_CATALOGUE: Record<string, Explanation> = {
	validation_error: ['The service found the request invalid', 'Correct what is named here.'],

	api_not_enabled: [
		'The plan of this workspace does not include the API',
		'Upgrade the workspace to a plan with API access: Business or Ultimate.',
	],
	live_api_requires_paid_plan: [
		'A live key cannot be used during a trial',
		'Use a test key (sk_test_...) until the workspace has a paid plan.',
	],
	entitlement_required: [
		'The plan of this workspace lacks a feature: {detail}',
		'Upgrade the workspace to a plan with this feature.',
	],
	webhook_endpoint_limit_reached: [
		'The workspace has no room for another webhook endpoint',
		'Delete an endpoint that is no longer used, then try again. Test and live keys have separate endpoints.',
	],

	org_suspended: [
		'The workspace is suspended',
		'Contact the support of the service; no key of this workspace works until the suspension is lifted.',
	],
	insufficient_scope: [
		'The API key lacks the scope for this operation',
		'Create a key with this scope in the workspace settings (Developer, API keys) and put it into the credential.',
	],

	document_not_found: ['There is no such document', invisible('documents')],
	template_not_found: ['There is no such template', invisible('templates')],
	template_link_not_found: [
		'There is no such template link',
		'Check the link ID. The link may have been deleted, or belong to another workspace.',
	],
	webhook_endpoint_not_found: ['There is no such webhook endpoint', invisible('endpoints')],
	delivery_not_found: [
		'This webhook endpoint has no such delivery',
		'Check that the delivery is one of this endpoint.',
	],
	signed_not_available: ['The signed PDF does not exist yet', NOT_COMPLETED],
	certificate_not_available: ['The audit certificate does not exist yet', NOT_COMPLETED],
	original_not_available: [
		'The original of this document does not exist',
		'The source of this document could not be built from its files: create the document again.',
	],

	document_not_draft: [
		'The document is not a draft any more',
		'Only a draft can be sent or changed.',
	],
	document_not_in_progress: [
		'The document is not out for signature',
		'This works only while the document is out for signature: after it was sent, and before it ends.',
	],
	no_recipients_to_remind: [
		'There is nobody to remind',
		'Only a recipient who has been asked and has not signed yet can be reminded. To pass over such documents, switch on Options > Skip If Nobody Is Left.',
	],
	template_not_published: [
		'The template is not published',
		'Publish the template in the web application, then try again.',
	],
	embedding_not_configured: [
		'The workspace does not allow embedded signing on any site yet',
		'Add the origin of your site to the allowed embed origins in the workspace settings.',
	],

	unknown_role: [
		'The template has no such role',
		"Use the role names of the template; upper and lower case don't matter.",
	],
	missing_roles: [
		'Recipients: a role of the template has no recipient',
		'Add a recipient with this role. Nothing was sent for this item.',
	],
	duplicate_role: [
		'Two recipients have the same role',
		'Give each role of the template exactly one recipient.',
	],
	unprefillable_field_type: [
		'A field of this type cannot be prefilled',
		'Leave out values for signature, initials, stamp, name, title and company fields, and for date and email fields that are not custom fields. They are filled in at signing.',
	],
	invalid_prefill_value: [
		'A value does not fit its field',
		'A number field takes a number and a date field a date. A dropdown or a radio group takes one of its options, spelt as in the template: the web application shows them, the API does not.',
	],
	signer_missing_signature_field: [
		'A signer has no signature field: {detail}',
		'Give every signer at least one field of the type Signature before sending.',
	],
	max_recipients_exceeded: [
		'There are too many recipients; at most {detail} are allowed',
		'Leave out recipients, counting signers and cc together, or send several documents.',
	],
	duplicate_email: [
		'Two recipients have the same email address: {detail}',
		'Give every recipient of the document an email address of their own.',
	],
	field_out_of_bounds: [
		'A field does not fit on its page',
		'Check that the document has this page, and that Left plus Width and Top plus Height are at most 1.',
	],
	unknown_file: [
		'The service does not know one of the files',
		'Check the file IDs; a file that another workspace uploaded cannot be used. Upload the file again.',
	],

	file_missing: [
		'The upload contained no file',
		'Check that the input item has binary data in the field that is named in the node.',
	],
	file_empty: ['The file is empty', 'Check the node that produced the file.'],
	file_too_large: [
		'The file is larger than 25 MB',
		'Make it smaller, or split it: a document can be built from up to 10 files.',
	],
	password_protected_pdf: [
		'The PDF is protected with a password',
		'Remove the protection first; the service has no way to take the password.',
	],
	corrupt_pdf: [
		'The PDF cannot be read',
		'Check that the file opens in a PDF reader, and that the binary data is the whole file.',
	],
	unsupported_file_type: [
		'The service does not take files of this type',
		'Use PDF, DOCX, DOC, PNG or JPEG. The content decides, not the extension.',
	],
	multipart_required: [
		'The upload did not arrive as a file',
		'Something between n8n and the service changed the request: check the proxy, if there is one.',
	],

	exactly_one_open_role_required: [
		'A template link needs exactly one open role',
		'Mark exactly one signer as open: the one whom the visitor of the link becomes.',
	],
	assigned_signer_incomplete: [
		'A signer who is not open lacks a name or an email address',
		'Give every signer that is not open both a name and an email address.',
	],
	signers_incomplete: [
		'A signer role of the template is missing',
		'Add one signer for every signer role of the template.',
	],
	template_has_no_signer: [
		'The template has no signer role',
		'A link needs a template with at least one signer: edit the template in the web application.',
	],
};

/**
 * What a status says when its code says nothing known (docs/service.md section 7, status codes). A
 * 429 and a 5xx are not refusals: client/call/outcome.ts.
 */
const BY_STATUS: Record<number, Explanation> = {
	400: ['The service found the request invalid', 'Correct the values of this operation.'],
	401: [
		'The service does not accept the API key',
		'The key may be mistyped, revoked or expired, or its creator lost access. Check it in the eSign credential, and in the workspace settings (Developer, API keys).',
	],
	402: [
		'The plan of this workspace does not allow this',
		'Check the plan and its limits in the workspace settings.',
	],
	403: [
		'The service refuses this key',
		'Check the scopes of the key and the IP allowlist of the workspace: it must contain the address of this n8n.',
	],
	404: [
		'The service did not find what this operation is for',
		'Check the IDs, and that the Base URL of the credential is right. A test key does not see what a live key made, nor a live key what a test key made.',
	],
	409: [
		'The state of the document or template does not allow this',
		'Read it to see its current state.',
	],
	413: ['The request is too large for the service', 'A file may have up to 25 MB.'],
	415: ['The service does not take files of this type', 'Use PDF, DOCX, DOC, PNG or JPEG.'],
};

const REDIRECT: Explanation = [
	'The service answered with a redirect, which is not followed',
	'Set the Base URL of the eSign credential to the address that the service really has.',
];

const OTHER: Explanation = [
	'The service refused the request',
	'Check the values of this operation.',
];

/** What a code means, or failing that the status it came with, and what to do. */
export function explain(code: string, status: number, said: string): Explanation {
	const byCode = Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code] : undefined;
	if (byCode) return byCode;
	if (status < 400) return REDIRECT;
	const [message, remedy] = BY_STATUS[status] ?? OTHER;
	return [said === '' ? message : `${message}: ${said}`, remedy];
}
