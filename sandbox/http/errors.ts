/** One entry of `error.details`: a bad field by its path, such as `recipients.0.email`. */
export interface ErrorDetail {
	field: string;
	message: string;
}

/**
 * Every code the service answers with, its status and its prose: docs/service.md section 7, and,
 * below the line, the codes that it leaves open and sandbox/README.md explains.
 */
export const ERRORS = {
	validation_error: [400, 'The request is not valid.'],
	api_not_enabled: [402, 'The plan of this workspace has no API access.'],
	live_api_requires_paid_plan: [
		402,
		'Live keys need a paid plan; test keys keep working during a trial.',
	],
	entitlement_required: [402, 'The plan of this workspace lacks this feature.'],
	webhook_endpoint_limit_reached: [
		402,
		'This mode already has as many webhook endpoints as the plan allows.',
	],
	org_suspended: [403, 'This workspace is suspended.'],
	insufficient_scope: [403, 'The API key lacks the scope that this call needs.'],
	document_not_found: [404, 'There is no such document.'],
	template_not_found: [404, 'There is no such template.'],
	template_link_not_found: [404, 'There is no such template link.'],
	webhook_endpoint_not_found: [404, 'There is no such webhook endpoint.'],
	delivery_not_found: [404, 'This endpoint has no such delivery.'],
	signed_not_available: [404, 'The signed PDF does not exist yet.'],
	certificate_not_available: [404, 'The certificate does not exist yet.'],
	original_not_available: [404, 'The original does not exist.'],
	document_not_draft: [409, 'The document is not a draft.'],
	document_not_in_progress: [409, 'The document is not in progress.'],
	no_recipients_to_remind: [409, 'Nobody is eligible for a reminder.'],
	template_not_published: [409, 'The template is not published.'],
	embedding_not_configured: [409, 'This workspace has no allowed embed origins.'],
	unknown_role: [400, 'The template has no such role.'],
	missing_roles: [400, 'A role of the template has no recipient.'],
	duplicate_role: [400, 'A role was supplied more than once.'],
	unprefillable_field_type: [400, 'Fields of this type cannot be prefilled.'],
	invalid_prefill_value: [400, 'A value does not fit its field.'],
	signer_missing_signature_field: [400, 'A signer has no signature field.'],
	max_recipients_exceeded: [400, 'A document has at most 10 recipients.'],
	duplicate_email: [400, 'An e-mail address is used by more than one recipient.'],
	field_out_of_bounds: [400, 'A field does not fit on its page.'],
	unknown_file: [400, 'A file id is unknown.'],
	file_missing: [400, 'The multipart body has no part named file.'],
	file_empty: [400, 'The file is empty.'],
	password_protected_pdf: [400, 'The PDF is protected by a password.'],
	corrupt_pdf: [400, 'The PDF cannot be read.'],
	file_too_large: [413, 'The file is larger than 25 MB.'],
	multipart_required: [415, 'The request must be multipart/form-data.'],
	unsupported_file_type: [415, 'Files of this type are not accepted.'],
	exactly_one_open_role_required: [400, 'Exactly one signer must be open.'],
	assigned_signer_incomplete: [
		400,
		'A signer that is not open needs a name and an e-mail address.',
	],
	signers_incomplete: [400, 'Every signer role of the template needs exactly one signer.'],
	template_has_no_signer: [400, 'The template has no signer role.'],
	request_failed: [429, 'Too many requests with this key.'],

	unauthorized: [401, 'The API key is missing, malformed, revoked or expired.'],
	ip_not_allowed: [403, 'The IP allowlist of this workspace refuses this address.'],
	recipient_not_found: [404, 'The document has no such recipient.'],
	not_found: [404, 'There is no such path.'],
	method_not_allowed: [405, 'This path does not know this method.'],
	request_timeout: [408, 'The request did not arrive in time.'],
	request_too_large: [413, 'The request body is too large.'],
	recipient_not_active: [409, 'It is not the turn of this recipient.'],
	link_expired: [410, 'This link has expired.'],
	link_used_up: [410, 'This link has been used as often as it may be.'],
	api_key_limit_reached: [402, 'A workspace holds at most 10 API keys.'],
	internal_error: [500, 'The service failed.'],
	document_not_sealed: [
		503,
		'The document could not be sealed in time. Nothing was signed: try again.',
	],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;

/** The part after the colon, for the four codes of docs/service.md section 7 that append one. */
type Suffix = string | undefined;

/** A refusal on its way to the envelope; thrown anywhere, answered by one handler. */
export class ApiError extends Error {
	readonly statusCode: number;
	readonly code: string;
	readonly details: ErrorDetail[] | undefined;
	readonly extra: Record<string, unknown>;

	constructor(
		readonly kind: ErrorCode,
		options: {
			suffix?: Suffix;
			message?: string;
			details?: ErrorDetail[];
			extra?: Record<string, unknown>;
		} = {},
	) {
		const [statusCode, prose] = ERRORS[kind];
		super(options.message ?? prose);
		this.statusCode = statusCode;
		this.code = options.suffix === undefined ? kind : `${kind}:${options.suffix}`;
		this.details = options.details;
		this.extra = options.extra ?? {};
	}
}

/** A validation_error that names one field. */
export function invalid(field: string, message: string): ApiError {
	return new ApiError('validation_error', { details: [{ field, message }] });
}

/** The envelope of docs/service.md section 7; extra keys stand beside `code` (section 10, 4). */
export function envelope(error: ApiError) {
	return {
		error: {
			code: error.code,
			message: error.message,
			...(error.details && { details: error.details }),
			...error.extra,
		},
	};
}
