import { Type, type TSchema } from '@sinclair/typebox';
import type { FastifySchema } from 'fastify';
import { closed } from '../../schemas/formats';
import { errorSchema } from '../../schemas/errorSchema';
import { ERRORS, type ErrorCode } from '../errors';
import type { Route } from '../route';
import type { NamedSchemas } from './namedSchemas';

const RATE_HEADERS = {
	'x-ratelimit-limit': { type: 'integer', description: 'Requests per window and key.' },
	'x-ratelimit-remaining': { type: 'integer', description: 'Requests left in the current window.' },
	'x-ratelimit-reset': {
		type: 'integer',
		description: 'Seconds left in the current window, counting down to zero.',
	},
};
const RETRY_HEADER = {
	'retry-after': { type: 'integer', description: 'Seconds to wait before the next request.' },
};

/** Codes that carry a detail after a colon (docs/service.md section 7). */
const WITH_DETAIL: ReadonlySet<ErrorCode> = new Set([
	'signer_missing_signature_field',
	'max_recipients_exceeded',
	'duplicate_email',
	'entitlement_required',
]);

/**
 * What stands in a path, by the name of the parameter; `id` is that of what the path begins with.
 */
const PARAMETERS: Record<string, string> = {
	documents: 'Id of the document.',
	templates: 'Id of the template.',
	webhooks: 'Id of the webhook endpoint.',
	recipientId: 'Id of the recipient.',
	linkId: 'Id of the template link.',
	deliveryId: 'Id of the delivery record.',
};

/** Every code that an endpoint may refuse with. */
export function codesOf({ method, scope, params, query, errors, multipart }: Route): ErrorCode[] {
	const takesSomething = method !== 'GET' || params !== undefined || query !== undefined;
	return [
		...(takesSomething ? (['validation_error'] as const) : []),
		'unauthorized',
		'api_not_enabled',
		'live_api_requires_paid_plan',
		'org_suspended',
		'ip_not_allowed',
		...(scope ? (['insufficient_scope'] as const) : []),
		...(method !== 'GET' && !multipart ? (['request_too_large'] as const) : []),
		'request_failed',
		...errors,
	];
}

/** The envelope, with the codes that this operation answers with under one status. */
function refusalSchema(codes: readonly ErrorCode[], named: NamedSchemas): object {
	const plain = codes.filter((code) => !WITH_DETAIL.has(code));
	const detailed = codes.filter((code) => WITH_DETAIL.has(code));
	const choices = [
		...(plain.length > 0 ? [{ type: 'string', enum: plain }] : []),
		...detailed.map((code) => ({ type: 'string', pattern: `^${code}:` })),
	];
	const code = choices.length === 1 ? choices[0] : { anyOf: choices };
	const error = { type: 'object', properties: { code } };
	return { allOf: [named.refer(errorSchema), { type: 'object', properties: { error } }] };
}

function json(description: string, headers: object, schema: object) {
	return { description, headers, content: { 'application/json': { schema } } };
}

function refusalsOf(route: Route, named: NamedSchemas): Record<string, object> {
	const byStatus = new Map<number, ErrorCode[]>();
	for (const code of codesOf(route))
		byStatus.set(ERRORS[code][0], [...(byStatus.get(ERRORS[code][0]) ?? []), code]);
	const refusals = [...byStatus].map(([status, codes]): [string, object] => {
		const description = codes.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join('\n\n');
		// Without a valid key there is nothing to count against.
		const headers = { ...(status !== 401 && RATE_HEADERS), ...(status === 429 && RETRY_HEADER) };
		return [String(status), json(description, headers, refusalSchema(codes, named))];
	});
	const fault = json(
		'A fault of the service; retry with backoff.',
		RATE_HEADERS,
		named.refer(errorSchema),
	);
	return { ...Object.fromEntries(refusals), '5xx': fault };
}

function parametersOf({ path, params }: Route): TSchema | undefined {
	const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
	if (names.length === 0) return undefined;
	const kind = path.split('/')[1] ?? '';
	return Type.Object(
		Object.fromEntries(
			names.map((name) => [
				name,
				params?.[name] ?? Type.String({ description: PARAMETERS[name] ?? PARAMETERS[kind] }),
			]),
		),
	);
}

const UPLOAD = {
	'multipart/form-data': {
		schema: Type.Object(
			{
				// OpenAPI 3.1 says contentMediaType; generators of clients know a file by its format.
				file: Type.String({
					format: 'binary',
					contentMediaType: 'application/octet-stream',
					description: 'PDF, DOCX, DOC, PNG or JPEG, at most 25 MB.',
				}),
			},
			closed,
		),
	},
};

/**
 * The framework's schema of a route: what validates requests to it and what @fastify/swagger
 * describes it with.
 */
export function describeRoute(route: Route, named: NamedSchemas): FastifySchema {
	const { body, query, multipart, scope, status, summary } = route;
	const params = parametersOf(route);
	return {
		operationId: route.operationId,
		summary,
		description: `${summary}. ${scope ? `Needs the scope \`${scope}\`.` : 'Any valid key will do.'}`,
		tags: [route.tag],
		...(params && { params: named.refer(params) }),
		...(query && { querystring: named.refer(query) }),
		...(body && { body: named.refer(body) }),
		...(multipart && { body: { content: UPLOAD } }),
		response: {
			[status]: json('Done.', RATE_HEADERS, named.refer(route.response)),
			...refusalsOf(route, named),
		},
	};
}
