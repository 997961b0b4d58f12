import { endpoint } from '../http/endpoint';
import { pageOf, type Cursors } from '../http/paging';
import { documentWire, linkWire, templateDetailWire, templateWire } from '../http/wire';
import { createLink } from '../links/links';
import { createLinkBody, pageQuery, templateSendBody } from '../schemas/requests';
import {
	linkWire as linkSchema,
	listOf,
	pageOf as pageSchema,
	sentTemplateWire,
	templateDetailWire as templateDetailSchema,
	templateWire as templateSchema,
} from '../schemas/responses';
import { sendTemplate } from '../templates/send';
import { requirePublished, requireTemplate } from '../templates/templates';
import type { World } from '../world';

const tag = 'Templates';
const PAGE_SIZE = 20;

export function templateEndpoints(world: World, cursors: Cursors) {
	return [
		endpoint({
			method: 'GET',
			path: '/templates',
			scope: 'templates:read',
			summary: 'Published templates of the key’s mode, newest first',
			tag,
			query: pageQuery,
			status: 200,
			response: pageSchema(templateSchema),
			errors: [],
			handle: ({ mode, query }) => {
				const list = `templates ${mode}`;
				const before = query.cursor === undefined ? undefined : cursors.read(list, query.cursor);
				return pageOf(world.state.templates.newestFirst(mode, before), {
					limit: query.limit ?? PAGE_SIZE,
					wanted: ({ status }) => status === 'PUBLISHED',
					wire: templateWire,
					cursor: ({ sequence }) => cursors.write(list, sequence),
				});
			},
		}),
		endpoint({
			method: 'GET',
			path: '/templates/{id}',
			scope: 'templates:read',
			summary: 'One published template with its roles and fields',
			tag,
			status: 200,
			response: templateDetailSchema,
			errors: ['template_not_found', 'template_not_published'],
			handle: ({ mode, path }) => {
				const template = requireTemplate(world, path.id ?? '', mode);
				requirePublished(template);
				return templateDetailWire(template);
			},
		}),
		endpoint({
			method: 'POST',
			path: '/templates/{id}/send',
			scope: 'templates:write',
			summary: 'Creates a document from a template, and sends it unless told not to',
			tag,
			body: templateSendBody,
			status: 200,
			response: sentTemplateWire,
			errors: [
				'template_not_found',
				'template_not_published',
				'unknown_role',
				'missing_roles',
				'duplicate_role',
				'duplicate_email',
				'unprefillable_field_type',
				'invalid_prefill_value',
				'embedding_not_configured',
			],
			handle: async ({ mode, path, body }) => {
				const template = requireTemplate(world, path.id ?? '', mode);
				const { document, embedLinks } = await sendTemplate(world, template, body);
				return { ...documentWire(document), ...(embedLinks && { embed_links: embedLinks }) };
			},
		}),
		endpoint({
			method: 'POST',
			path: '/templates/{id}/links',
			scope: 'templates:write',
			summary: 'Publishes a template as a public link',
			tag: 'Public links',
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
		endpoint({
			method: 'GET',
			path: '/templates/{id}/links',
			scope: 'templates:read',
			summary: 'All public links of a template, newest first',
			tag: 'Public links',
			status: 200,
			response: listOf(linkSchema),
			errors: ['template_not_found'],
			handle: ({ mode, path }) => {
				const { id } = requireTemplate(world, path.id ?? '', mode);
				const links = [...world.state.links.newestFirst(mode)].filter(({ templateId }) => templateId === id);
				return { data: links.map((link) => linkWire(world.origin, link)) };
			},
		}),
	];
}
