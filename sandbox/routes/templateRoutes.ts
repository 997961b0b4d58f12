import { route } from '../http/route';
import { readPage, type Cursors } from './cursors';
import { documentWire, templateDetailWire, templateWire } from './wire';
import { pageOf, pageQuery } from '../schemas/lists';
import {
	sentTemplateSchema,
	templateDetailSchema,
	templateSchema,
} from '../schemas/templateAnswers';
import { templateSendBody } from '../schemas/templateRequests';
import { sendTemplate } from '../templates/send';
import { requirePublished, requireTemplate } from '../templates/templates';
import type { World } from '../state/world';

const tag = 'Templates';

export function templateRoutes(world: World, cursors: Cursors) {
	return [
		route({
			method: 'GET',
			path: '/templates',
			operationId: 'listTemplates',
			scope: 'templates:read',
			summary: 'Lists the published templates of the key’s mode, newest first',
			tag,
			query: pageQuery,
			status: 200,
			response: pageOf(templateSchema, 'TemplatePage'),
			errors: [],
			handle: ({ mode, query }) =>
				readPage(cursors, world.state.templates, {
					name: 'templates',
					mode,
					query,
					wanted: ({ status }) => status === 'PUBLISHED',
					wire: templateWire,
				}),
		}),
		route({
			method: 'GET',
			path: '/templates/{id}',
			operationId: 'getTemplate',
			scope: 'templates:read',
			summary: 'Gets one published template with its roles and fields',
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
		route({
			method: 'POST',
			path: '/templates/{id}/send',
			operationId: 'sendTemplate',
			scope: 'templates:write',
			summary: 'Creates a document from a template, and sends it unless `send` is false',
			tag,
			body: templateSendBody,
			status: 200,
			response: sentTemplateSchema,
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
	];
}
