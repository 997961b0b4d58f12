import { ApiError, type ErrorCode } from '../http/errors';
import { bodyValidator } from '../http/validation';
import { type VisitorInput, visitorInput } from '../schemas/templateRequests';
import type { Recipient, SignDocument, TemplateLink } from '../state/entities';
import type { World } from '../state/world';
import { storeDocument } from '../documents/draft';
import { startDocument } from '../documents/transitions';
import { checkRecipientList } from '../documents/recipients';
import { documentFromTemplate } from '../templates/send';
import { requireTemplate } from '../templates/templates';

const checkVisitor = bodyValidator(visitorInput);

/** The link that a slug stands for now; undefined after rotation or deletion. */
export function findBySlug(world: World, slug: string): TemplateLink | undefined {
	const linkId = world.state.slugs.get(slug);
	return linkId === undefined ? undefined : world.state.links.find(linkId);
}

/** Why a visitor may not start this link now; undefined when they may. */
export function refusalOf(world: World, link: TemplateLink): ErrorCode | undefined {
	if (world.state.workspace.suspended) return 'org_suspended';
	if (link.expiresAt && link.expiresAt.getTime() <= world.timeline.now()) return 'link_expired';
	if (link.maxUses !== null && link.useCount >= link.maxUses) return 'link_used_up';
	return undefined;
}

/**
 * A visitor fills the open role and the document goes out. It counts as a use of the link and not
 * as an API send.
 * @throws template_link_not_found for an unknown slug; validation_error that names `name` or
 * `email`; org_suspended, link_expired, link_used_up; duplicate_email
 */
export async function startLink(
	world: World,
	slug: string,
	visitor: VisitorInput,
): Promise<{ document: SignDocument; recipient: Recipient }> {
	const link = findBySlug(world, slug);
	if (!link) throw new ApiError('template_link_not_found');
	checkVisitor(visitor);
	const refusal = refusalOf(world, link);
	if (refusal) throw new ApiError(refusal);
	const recipients = link.signers.map(({ role, isOpen, name, email }) => ({
		role,
		name: isOpen ? visitor.name : (name ?? ''),
		email: isOpen ? visitor.email : (email ?? ''),
	}));
	checkRecipientList(recipients);
	// Counted before anything is awaited: two visitors must not both take the last use.
	link.useCount += 1;
	const template = requireTemplate(world, link.templateId, link.mode);
	const document = await documentFromTemplate(world, template, {
		title: template.name,
		recipients,
		values: new Map(),
	});
	storeDocument(world, document);
	startDocument(world, document, false);
	const open = link.signers.find(({ isOpen }) => isOpen);
	const recipient = document.recipients.find(({ role }) => role === open?.role);
	if (!recipient) throw new ApiError('recipient_not_found');
	return { document, recipient };
}
