import { endpoint } from '../http/endpoint';
import { linkWire } from '../http/wire';
import { deleteLink, requireLink, rotateLink } from '../links/links';
import { noBody } from '../schemas/requests';
import { deletedWire, linkWire as linkSchema } from '../schemas/responses';
import type { World } from '../world';

const tag = 'Public links';

export function templateLinkEndpoints(world: World) {
	return [
		endpoint({
			method: 'GET',
			path: '/template-links/{linkId}',
			scope: 'templates:read',
			summary: 'One public link',
			tag,
			status: 200,
			response: linkSchema,
			errors: ['template_link_not_found'],
			handle: ({ mode, path }) => linkWire(world.origin, requireLink(world, path.linkId ?? '', mode)),
		}),
		endpoint({
			method: 'POST',
			path: '/template-links/{linkId}/rotate',
			scope: 'templates:write',
			summary: 'Gives the link a new slug; the old address stops working at once',
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
		endpoint({
			method: 'DELETE',
			path: '/template-links/{linkId}',
			scope: 'templates:write',
			summary: 'Deletes the link for good; documents already created are unaffected',
			tag,
			status: 200,
			response: deletedWire,
			errors: ['template_link_not_found'],
			handle: ({ mode, path }) => {
				const link = requireLink(world, path.linkId ?? '', mode);
				deleteLink(world, link);
				return { id: link.id, deleted: true };
			},
		}),
	];
}
