import type { FastifyInstance } from 'fastify';
import { createWebhookBody } from '../schemas/requests';
import { errorSchema, eventPayloadSchema } from '../schemas/responses';
import type { Route } from '../http/route';
import { ERRORS, type ErrorCode } from '../http/errors';

/** Refusals that any endpoint may answer with. */
const EVERYWHERE: readonly ErrorCode[] = [
	'validation_error',
	'unauthorized',
	'api_not_enabled',
	'live_api_requires_paid_plan',
	'org_suspended',
	'insufficient_scope',
	'ip_not_allowed',
	'request_failed',
];

const rateHeaders = Object.fromEntries(
	Object.entries({
		'x-ratelimit-limit': 'Requests per window and key',
		'x-ratelimit-remaining': 'Requests left in the current window',
		'x-ratelimit-reset': 'Seconds left in the current window, counting down to zero',
	}).map(([name, description]) => [name, { description, schema: { type: 'integer' } }]),
);

function errorResponses({ errors }: Route): Record<string, unknown> {
	const byStatus = new Map<number, ErrorCode[]>();
	for (const code of [...EVERYWHERE, ...errors]) {
		const [status] = ERRORS[code];
		byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
	}
	return Object.fromEntries(
		[...byStatus].map(([status, codes]) => [
			String(status),
			{
				description: codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n'),
				headers: status === 429 ? { ...rateHeaders, 'retry-after': { schema: { type: 'integer' } } } : {},
				content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
			},
		]),
	);
}

function parametersOf({ path, query }: Route): unknown[] {
	const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
		name,
		in: 'path',
		required: true,
		schema: { type: 'string' },
	}));
	const properties = (query?.properties ?? {}) as Record<string, unknown>;
	return [...inPath, ...Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))];
}

function requestBodyOf({ body, bodyOptional, multipart }: Route): unknown {
	if (multipart) {
		const schema = {
			type: 'object',
			required: ['file'],
			additionalProperties: false,
			properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
		};
		return { required: true, content: { 'multipart/form-data': { schema } } };
	}
	return body && { required: !bodyOptional, content: { 'application/json': { schema: body } } };
}

function operationOf(endpoint: Route): Record<string, unknown> {
	const requestBody = requestBodyOf(endpoint);
	const words = endpoint.path.split('/').filter(Boolean).join(' ').replace(/[{}]/g, '');
	return {
		operationId: `${endpoint.method} ${words}`.toLowerCase().replace(/[^a-z]+/g, '-'),
		summary: endpoint.summary,
		description: endpoint.scope ? `Needs the scope \`${endpoint.scope}\`.` : 'Any valid key will do.',
		tags: [endpoint.tag],
		parameters: parametersOf(endpoint),
		...(requestBody !== undefined && { requestBody }),
		responses: {
			[String(endpoint.status)]: {
				description: endpoint.summary,
				headers: rateHeaders,
				content: { 'application/json': { schema: endpoint.response } },
			},
			...errorResponses(endpoint),
		},
	};
}

const deliveryHeaders = ['x-esign-signature', 'x-esign-event', 'x-esign-event-id'].map((name) => ({
	name,
	in: 'header',
	required: true,
	schema: { type: 'string' },
}));

/** The OpenAPI 3.1 description of the endpoints, from the very schemas that validate their requests. */
function describe(endpoints: readonly Route[], serverUrl: string): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const endpoint of endpoints) {
		paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Electronic Signature Service API', version: '1.0.0' },
		servers: [{ url: serverUrl }],
		security: [{ apiKey: [] }],
		tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name })),
		paths,
		webhooks: {
			event: {
				post: {
					summary: 'What is delivered to the endpoints of POST /webhooks',
					description: `Endpoints choose from ${JSON.stringify(createWebhookBody.properties.events.items)}.`,
					parameters: deliveryHeaders,
					requestBody: { required: true, content: { 'application/json': { schema: eventPayloadSchema } } },
					responses: { '2XX': { description: 'Delivered; anything else is tried again' } },
				},
			},
		},
		components: {
			securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
			schemas: { Error: errorSchema },
		},
	};
}

/** GET /v1/openapi.json, which needs no key. */
export function serveDescription(endpoints: readonly Route[], serverUrl: () => string) {
	return async (app: FastifyInstance): Promise<void> => {
		app.get('/openapi.json', async () => describe(endpoints, serverUrl()));
	};
}
