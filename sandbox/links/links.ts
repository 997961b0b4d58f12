import { ApiError, type ErrorDetail } from '../http/errors';
import type { CreateLinkBody } from '../schemas/templateRequests';
import type { LinkSigner, Template, TemplateLink, TemplateRole } from '../state/entities';
import { newId, randomText } from '../state/ids';
import type { Mode } from '../state/vocabulary';
import type { World } from '../state/world';
import { requirePublished } from '../templates/templates';

const ENTITLEMENT = 'template_share_links_enabled';
const SLUG_LENGTH = 12;

function newSlug(world: World): string {
	const slug = randomText(SLUG_LENGTH);
	return world.state.slugs.has(slug) ? newSlug(world) : slug;
}

/**
 * The signers of a link: one per signer role, exactly one of them open, the others complete
 * (docs/service.md section 4).
 */
function castSigners(
	roles: readonly TemplateRole[],
	inputs: CreateLinkBody['signers'],
): LinkSigner[] {
	const unknown: ErrorDetail[] = inputs.flatMap(({ placeholder_id }, index) =>
		roles.some(({ id }) => id === placeholder_id)
			? []
			: [
					{
						field: `signers.${index}.placeholder_id`,
						message: 'must be the id of a signer role of the template',
					},
				],
	);
	if (unknown.length > 0) throw new ApiError('validation_error', { details: unknown });
	if (inputs.filter(({ is_open }) => is_open).length !== 1)
		throw new ApiError('exactly_one_open_role_required');
	const placeholders = new Set(inputs.map(({ placeholder_id }) => placeholder_id));
	if (placeholders.size !== roles.length || inputs.length !== roles.length)
		throw new ApiError('signers_incomplete');
	if (inputs.some(({ is_open, name, email }) => !is_open && (!name || !email))) {
		throw new ApiError('assigned_signer_incomplete');
	}
	return roles.flatMap(({ id, role }) => {
		const input = inputs.find(({ placeholder_id }) => placeholder_id === id);
		if (!input) return [];
		const isOpen = input.is_open;
		const name = isOpen ? null : (input.name ?? null);
		return [
			{ placeholderId: id, role, isOpen, name, email: isOpen ? null : (input.email ?? null) },
		];
	});
}

/** POST /templates/{id}/links. */
export function createLink(world: World, template: Template, body: CreateLinkBody): TemplateLink {
	if (!world.state.workspace.entitlements.includes(ENTITLEMENT)) {
		throw new ApiError('entitlement_required', { suffix: ENTITLEMENT });
	}
	requirePublished(template);
	const roles = template.roles.filter(({ type }) => type === 'SIGNER');
	if (roles.length === 0) throw new ApiError('template_has_no_signer');
	const link: TemplateLink = {
		id: newId('lnk'),
		sequence: world.state.links.nextSequence(),
		mode: template.mode,
		slug: newSlug(world),
		templateId: template.id,
		label: body.label ?? null,
		headline: body.headline ?? null,
		message: body.message ?? null,
		redirectUrl: body.redirect_url ?? null,
		expiresAt: body.expires_at === undefined ? null : new Date(body.expires_at),
		maxUses: body.max_uses ?? null,
		useCount: 0,
		enabled: true,
		signers: castSigners(roles, body.signers),
		createdAt: world.timeline.date(),
	};
	world.state.slugs.set(link.slug, link.id);
	return world.state.links.add(link);
}

/** The link in this mode, or 404 template_link_not_found. */
export function requireLink(world: World, linkId: string, mode: Mode): TemplateLink {
	const link = world.state.links.find(linkId, mode);
	if (!link) throw new ApiError('template_link_not_found');
	return link;
}

/** A new slug; the old address stops working at once. */
export function rotateLink(world: World, link: TemplateLink): void {
	world.state.slugs.delete(link.slug);
	link.slug = newSlug(world);
	world.state.slugs.set(link.slug, link.id);
}

/** Permanent; documents already created are unaffected. */
export function deleteLink(world: World, link: TemplateLink): void {
	world.state.slugs.delete(link.slug);
	world.state.links.remove(link);
}
