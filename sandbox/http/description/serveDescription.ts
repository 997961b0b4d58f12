import swagger from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { bugs } from '../../../package.json';
import type { Route } from '../route';
import { describeEvents } from './describeEvents';
import type { NamedSchemas } from './namedSchemas';

export const DESCRIPTION_PATH = '/openapi.json';

const DESCRIPTION =
	'Sends documents for electronic signature. This is the description of the sandbox, a local copy of the service: ' +
	'nothing here is sent to anyone, billed or binding.';

const TAGS: Record<string, string> = {
	Account: 'The workspace, its plan and its usage.',
	Templates: 'Published templates, and documents made from them.',
	Files: 'Uploads that documents are made from.',
	Documents: 'Documents, their recipients, fields and files.',
	'Public links': 'Links through which visitors start documents of their own.',
	Webhooks: 'Endpoints for events, and the log of deliveries.',
};

interface Operation {
	operationId?: string;
	requestBody?: object;
}

/** A call that takes no body has none described, although an empty object is taken. */
function withoutEmptyBody(schema: FastifySchema, routes: readonly Route[]): FastifySchema {
	const described = routes.find(({ operationId }) => operationId === schema.operationId);
	const { body, ...rest } = schema;
	return described?.body && Object.keys(described.body.properties as object).length === 0
		? rest
		: { ...rest, body };
}

/** The plugin takes every body for required. */
function withOptionalBodies(
	paths: Record<string, Record<string, Operation>>,
	routes: readonly Route[],
): void {
	const optional = new Set(
		routes.filter(({ bodyOptional }) => bodyOptional).map(({ operationId }) => operationId),
	);
	for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
		if (operation.requestBody && optional.has(operation.operationId ?? '')) {
			operation.requestBody = { ...operation.requestBody, required: false };
		}
	}
}

/**
 * GET /openapi.json, which needs no key: OpenAPI 3.1, made by @fastify/swagger from the schemas
 * that validate requests. Registered before the routes, which it watches.
 */
export async function serveDescription(
	app: FastifyInstance,
	routes: readonly Route[],
	named: NamedSchemas,
	serverUrl: () => string,
): Promise<void> {
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Electronic Signature Service API',
				version: '1.0.0',
				description: DESCRIPTION,
				contact: { name: 'The maintainers of the sandbox', url: bugs.url },
				license: { name: 'MIT', identifier: 'MIT' },
			},
			servers: [{ url: '/v1' }],
			security: [{ apiKey: [] }],
			tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
			components: {
				securitySchemes: {
					apiKey: {
						type: 'http',
						scheme: 'bearer',
						description: 'A key that begins with sk_live_ or sk_test_.',
					},
				},
			},
			webhooks: describeEvents(named),
		},
		hideUntagged: true,
		refResolver: { buildLocalReference: (schema) => String(schema.$id) },
		transform: ({ schema, url }) => ({ schema: withoutEmptyBody(schema, routes), url }),
		transformObject: (document) => {
			const { openapiObject } = document as {
				openapiObject: { paths: Record<string, Record<string, Operation>> };
			};
			withOptionalBodies(openapiObject.paths, routes);
			return openapiObject;
		},
	});
	app.get(DESCRIPTION_PATH, { schema: { hide: true } }, async () => ({
		...app.swagger(),
		servers: [{ url: serverUrl(), description: 'The sandbox.' }],
	}));
}
