/** Stored entities as the API shows them (docs/service.md section 2). */
import { usageAt } from '../documents/usage';
import type { AccountWire } from '../schemas/accountAnswers';
import type {
	DocumentWire,
	FileWire,
	RawRecipientWire,
	RecipientWire,
	ReplacedFieldsWire,
} from '../schemas/documentAnswers';
import type { LinkWire, TemplateDetailWire, TemplateWire } from '../schemas/templateAnswers';
import type { CreatedEndpointWire, DeliveryWire, EndpointWire } from '../schemas/webhookSchemas';
import type {
	Delivery,
	Recipient,
	SignDocument,
	StoredFile,
	Template,
	TemplateLink,
	WebhookEndpoint,
} from '../state/entities';
import type { State } from '../state/state';
import { PUBLIC_RECIPIENT_STATUS, type Mode } from '../state/vocabulary';
import { statusesOnSending } from '../documents/recipients';

function recipientWire({ id, name, email, role, status }: Recipient): RecipientWire {
	return { id, name, email, role, status: PUBLIC_RECIPIENT_STATUS[status] };
}

export function documentWire(document: SignDocument): DocumentWire {
	const { id, status, title, mode, recipients, createdAt } = document;
	return {
		id,
		status,
		title,
		mode,
		recipients: recipients.map(recipientWire),
		created_at: createdAt.toISOString(),
	};
}

/**
 * Recipients of a draft with the internal status that each of them takes at sending
 * (docs/service.md section 3).
 */
export function rawRecipientsWire({ recipients, routing }: SignDocument): RawRecipientWire[] {
	const statuses = statusesOnSending(recipients, routing);
	return recipients.map(({ id, name, email, role, status }, index) => ({
		id,
		name,
		email,
		role,
		status: statuses[index] ?? status,
	}));
}

export function replacedFieldsWire({ fields }: SignDocument): ReplacedFieldsWire {
	return {
		fields: fields.map(({ id, type, page, recipientId, key, fillMode }) => ({
			id,
			type,
			page,
			recipient_id: recipientId,
			field_key: key,
			fill_mode: fillMode,
		})),
	};
}

export function fileWire({ id, name, mimeType, bytes, createdAt }: StoredFile): FileWire {
	return {
		id,
		name,
		mime_type: mimeType,
		size_bytes: bytes.length,
		created_at: createdAt.toISOString(),
	};
}

/** Only published templates are returned, so that is the one status ever seen. */
export function templateWire({ id, name, description, roles, createdAt }: Template): TemplateWire {
	return {
		id,
		name,
		description,
		status: 'PUBLISHED',
		roles: roles.map(({ role, type }) => ({ role, type })),
		created_at: createdAt.toISOString(),
	};
}

export function templateDetailWire(template: Template): TemplateDetailWire {
	return {
		...templateWire(template),
		roles: template.roles.map(({ id, role, type, order }) => ({ id, role, type, order })),
		fields: template.fields.map(({ key, type, role, required, page }) => ({
			field_key: key,
			type,
			role,
			required,
			page,
		})),
	};
}

function linkUrl(origin: string, { slug }: TemplateLink): string {
	return `${origin}/t/${slug}`;
}

export function linkWire(origin: string, link: TemplateLink): LinkWire {
	return {
		id: link.id,
		slug: link.slug,
		url: linkUrl(origin, link),
		template_id: link.templateId,
		label: link.label,
		headline: link.headline,
		message: link.message,
		redirect_url: link.redirectUrl,
		expires_at: link.expiresAt?.toISOString() ?? null,
		max_uses: link.maxUses,
		use_count: link.useCount,
		enabled: link.enabled,
		signers: link.signers.map(({ placeholderId, role, isOpen, name, email }) => ({
			placeholder_id: placeholderId,
			role,
			is_open: isOpen,
			name,
			email,
		})),
		created_at: link.createdAt.toISOString(),
	};
}

export function endpointWire({
	id,
	url,
	mode,
	events,
	status,
	createdAt,
}: WebhookEndpoint): EndpointWire {
	return { id, url, mode, events, status, created_at: createdAt.toISOString() };
}

/** The only answer that carries the secret (delivery rule 7). */
export function createdEndpointWire(endpoint: WebhookEndpoint): CreatedEndpointWire {
	return { ...endpointWire(endpoint), signing_secret: endpoint.secret };
}

export function deliveryWire(delivery: Delivery): DeliveryWire {
	return {
		id: delivery.id,
		event: delivery.event,
		event_id: delivery.eventId,
		document_id: delivery.documentId,
		attempt: delivery.attempt,
		response_status: delivery.responseStatus,
		response_body: delivery.responseBody,
		error: delivery.error,
		succeeded: delivery.succeeded,
		payload: JSON.parse(delivery.body) as DeliveryWire['payload'],
		created_at: delivery.createdAt.toISOString(),
	};
}

export function accountWire(state: State, mode: Mode, now: Date): AccountWire {
	const { id, name, plan, trialing } = state.workspace;
	const usage = usageAt(state, now);
	return {
		organization: { id, name },
		plan: { code: plan, trialing },
		mode,
		usage: {
			documents_used: usage.used,
			documents_included: usage.included,
			documents_billable: usage.billable,
			overage_amount_cents: usage.overageCents,
			period_start: usage.periodStart.toISOString(),
			period_end: usage.periodEnd.toISOString(),
		},
	};
}
