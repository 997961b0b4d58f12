/** Stored entities as the pages see them (sandbox/acts/service.ts). */
import { isLocked } from '../documents/pins';
import { maySign, mayFill } from '../documents/signing';
import type {
	DeliveryView,
	DocumentView,
	EndpointView,
	FieldView,
	LinkView,
	RecipientView,
	SigningView,
	TemplateView,
} from './service';
import type {
	Delivery,
	Field,
	Recipient,
	SignDocument,
	Template,
	TemplateLink,
	WebhookEndpoint,
} from '../state/entities';
import { PUBLIC_RECIPIENT_STATUS } from '../state/vocabulary';

function recipientView(recipient: Recipient): RecipientView {
	const { id, name, email, type, role, status, pin, signingToken, signedAt } = recipient;
	return {
		id,
		name,
		email,
		type,
		role,
		status: PUBLIC_RECIPIENT_STATUS[status],
		hasPin: pin !== null,
		isLocked: isLocked(recipient),
		signingToken,
		signedAt,
	};
}

export function documentView(document: SignDocument): DocumentView {
	const { id, title, mode, status, routing, createdAt, expiresAt, completedAt, pageCount, trail } =
		document;
	return {
		id,
		title,
		mode,
		status,
		routing,
		createdAt,
		expiresAt,
		completedAt,
		pageCount,
		recipients: document.recipients.map(recipientView),
		trail: [...trail],
	};
}

function fieldView(field: Field, document: SignDocument, recipient: Recipient): FieldView {
	const { id, key, type, page, xNorm, yNorm, widthNorm, heightNorm, required, value, look } = field;
	return {
		id,
		key,
		type,
		page,
		xNorm,
		yNorm,
		widthNorm,
		heightNorm,
		required,
		editable: maySign(document, recipient) && mayFill(field, recipient),
		value,
		placeholderText: field.placeholderText,
		helpText: field.helpText,
		options: look.dropdownOptions ?? [],
		radioLayout: look.radioLayout ?? null,
	};
}

export function signingView(document: SignDocument, recipient: Recipient): SigningView {
	return {
		document: documentView(document),
		recipient: recipientView(recipient),
		fields: document.fields.map((field) => fieldView(field, document, recipient)),
		maySign: maySign(document, recipient),
	};
}

export function templateView(template: Template): TemplateView {
	const { id, name, description, mode, status, roles } = template;
	const fields = template.fields.map(({ key, type, role, required, look }) => ({
		key,
		type,
		role,
		required,
		options: look.dropdownOptions ?? [],
	}));
	return { id, name, description, mode, status, roles: [...roles], fields };
}

export function linkView(
	link: TemplateLink,
	templateName: string,
	refusal: string | null,
): LinkView {
	const { id, slug, mode, label, headline, message, redirectUrl, useCount, maxUses, expiresAt } =
		link;
	return {
		id,
		slug,
		mode,
		templateName,
		label,
		headline,
		message,
		redirectUrl,
		openRole: link.signers.find(({ isOpen }) => isOpen)?.role ?? '',
		refusal,
		useCount,
		maxUses,
		expiresAt,
	};
}

export function endpointView({
	id,
	url,
	mode,
	events,
	status,
	createdAt,
}: WebhookEndpoint): EndpointView {
	return { id, url, mode, events: [...events], status, createdAt };
}

export function deliveryView({ body, ...delivery }: Delivery): DeliveryView {
	return { ...delivery, payload: JSON.parse(body) as unknown };
}
