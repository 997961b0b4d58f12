/**
 * The endpoints of docs/service.md section 4 with the status of their success, what they answer
 * (answers.ts) and what they take (requests.ts).
 */
export const OPERATIONS: Record<
	string,
	[endpoint: string, status: number, answer: string, request?: string]
> = {
	getAccount: ['GET /account', 200, 'Account'],
	listTemplates: ['GET /templates', 200, 'TemplatePage'],
	getTemplate: ['GET /templates/{id}', 200, 'TemplateDetail'],
	sendTemplate: ['POST /templates/{id}/send', 200, 'DocumentFromTemplate', 'SendTemplate'],
	uploadFile: ['POST /files', 201, 'File'],
	listDocuments: ['GET /documents', 200, 'DocumentPage'],
	createDocument: ['POST /documents', 201, 'Document', 'CreateDocument'],
	getDocument: ['GET /documents/{id}', 200, 'Document'],
	sendDocument: ['POST /documents/{id}/send', 200, 'Document'],
	cancelDocument: ['POST /documents/{id}/cancel', 200, 'Document'],
	remindRecipients: ['POST /documents/{id}/remind', 200, 'Reminded', 'Remind'],
	replaceRecipients: [
		'PUT /documents/{id}/recipients',
		200,
		'ReplacedRecipients',
		'ReplaceRecipients',
	],
	replaceFields: ['PUT /documents/{id}/fields', 200, 'ReplacedFields', 'ReplaceFields'],
	getDocumentFile: ['GET /documents/{id}/files/{variant}', 200, 'DownloadUrl'],
	createEmbedLink: [
		'POST /documents/{id}/recipients/{recipientId}/embed-link',
		200,
		'EmbedLink',
		'EmbedOptions',
	],
	createTemplateLink: ['POST /templates/{id}/links', 201, 'TemplateLink', 'CreateTemplateLink'],
	listTemplateLinks: ['GET /templates/{id}/links', 200, 'TemplateLinkList'],
	getTemplateLink: ['GET /template-links/{linkId}', 200, 'TemplateLink'],
	rotateTemplateLink: ['POST /template-links/{linkId}/rotate', 200, 'TemplateLink'],
	deleteTemplateLink: ['DELETE /template-links/{linkId}', 200, 'Deleted'],
	createWebhook: ['POST /webhooks', 201, 'CreatedWebhookEndpoint', 'CreateWebhookEndpoint'],
	listWebhooks: ['GET /webhooks', 200, 'WebhookEndpointList'],
	deleteWebhook: ['DELETE /webhooks/{id}', 200, 'Deleted'],
	listWebhookDeliveries: ['GET /webhooks/{id}/deliveries', 200, 'WebhookDeliveryList'],
	replayWebhookDelivery: [
		'POST /webhooks/{id}/deliveries/{deliveryId}/replay',
		200,
		'ReplayedDelivery',
	],
};

/** The codes of docs/service.md section 7 by status. */
export const CODES: Record<number, readonly string[]> = {
	400: [
		...[
			'validation_error',
			'unknown_role',
			'missing_roles',
			'duplicate_role',
			'unprefillable_field_type',
		],
		...[
			'invalid_prefill_value',
			'signer_missing_signature_field',
			'max_recipients_exceeded',
			'duplicate_email',
		],
		...[
			'field_out_of_bounds',
			'unknown_file',
			'file_missing',
			'file_empty',
			'password_protected_pdf',
			'corrupt_pdf',
		],
		...['exactly_one_open_role_required', 'assigned_signer_incomplete', 'signers_incomplete'],
		'template_has_no_signer',
	],
	402: [
		...['api_not_enabled', 'live_api_requires_paid_plan', 'entitlement_required'],
		'webhook_endpoint_limit_reached',
	],
	403: ['org_suspended', 'insufficient_scope'],
	404: [
		...[
			'document_not_found',
			'template_not_found',
			'template_link_not_found',
			'webhook_endpoint_not_found',
		],
		...[
			'delivery_not_found',
			'signed_not_available',
			'certificate_not_available',
			'original_not_available',
		],
	],
	409: [
		...[
			'document_not_draft',
			'document_not_in_progress',
			'no_recipients_to_remind',
			'template_not_published',
		],
		'embedding_not_configured',
	],
	413: ['file_too_large'],
	415: ['multipart_required', 'unsupported_file_type'],
	429: ['request_failed'],
};

/** Codes that docs/service.md section 10 and sandbox/README.md add, where section 7 names none. */
export const CODES_OF_THE_SANDBOX: Record<number, readonly string[]> = {
	401: ['unauthorized'],
	403: ['ip_not_allowed'],
	404: ['recipient_not_found'],
	413: ['request_too_large'],
};
