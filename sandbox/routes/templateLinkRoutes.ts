import { route } from '../http/route';
import { linkWire } from './wire';
import { createLink, deleteLink, requireLink, rotateLink } from '../links/links';
import { noBody } from '../schemas/documentRequests';
import { listOf } from '../schemas/lists';
import { deletedSchema, linkSchema } from '../schemas/templateAnswers';
import { createLinkBody } from '../schemas/templateRequests';
import { requireTemplate } from '../templates/templates';
import type { World } from '../state/world';

const tag = 'Public links';

export function templateLinkRoutes(world: World) {
	return [
		route({
			method: 'POST',
			path: '/templates/{id}/links',
			operationId: 'createTemplateLink',
			scope: 'templates:write',
			summary: 'Publishes a template as a public link',
			tag,
			body: createLinkBody,
			status: 201,
			response: linkSchema,
			errors: [
				'template_not_found',
				'template_not_published',
				'template_has_no_signer',
				'exactly_one_open_role_required',
				'assigned_signer_incomplete',
				'signers_incomplete',
				'entitlement_required',
			],
			handle: ({ mode, path, body }) => {
				const template = requireTemplate(world, path.id ?? '', mode);
				return linkWire(world.origin, createLink(world, template, body));
			},
		}),
		route({
			method: 'GET',
			path: '/templates/{id}/links',
			operationId: 'listTemplateLinks',
			scope: 'templates:read',
			summary: 'Lists all public links of a template, newest first',
			tag,
			status: 200,
			response: listOf(linkSchema, 'TemplateLinkList'),
			errors: ['template_not_found'],
			handle: ({ mode, path }) => {
				const { id } = requireTemplate(world, path.id ?? '', mode);
				const links = [...world.state.links.newestFirst(mode)].filter(
					({ templateId }) => templateId === id,
				);
				return { data: links.map((link) => linkWire(world.origin, link)) };
			},
		}),
		route({
			method: 'GET',
			path: '/template-links/{linkId}',
			operationId: 'getTemplateLink',
			scope: 'templates:read',
			summary: 'Gets one public link',
			tag,
			status: 200,
			response: linkSchema,
			errors: ['template_link_not_found'],
			handle: ({ mode, path }) =>
				linkWire(world.origin, requireLink(world, path.linkId ?? '', mode)),
		}),
		route({
			method: 'POST',
			path: '/template-links/{linkId}/rotate',
			operationId: 'rotateTemplateLink',
			scope: 'templates:write',
			summary: 'Gives the link a new slug, so that the old address stops working at once',
			tag,
			body: noBody,
			bodyOptional: true,
			status: 200,
			response: linkSchema,
			errors: ['template_link_not_found'],
			handle: ({ mode, path }) => {
				const link = requireLink(world, path.linkId ?? '', mode);
				rotateLink(world, link);
				return linkWire(world.origin, link);
			},
		}),
		route({
			method: 'DELETE',
			path: '/template-links/{linkId}',
			operationId: 'deleteTemplateLink',
			scope: 'templates:write',
			summary: 'Deletes the link for good, and leaves documents already created as they are',
			tag,
			status: 200,
			response: deletedSchema,
			errors: ['template_link_not_found'],
			handle: ({ mode, path }) => {
				const link = requireLink(world, path.linkId ?? '', mode);
				deleteLink(world, link);
				return { id: link.id, deleted: true };
			},
		}),
	];
}
