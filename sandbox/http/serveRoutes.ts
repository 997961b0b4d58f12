import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { acceptJsonBodies } from './bodies';
import { describeRoute } from './description/describeRoute';
import { NamedSchemas } from './description/namedSchemas';
import { DESCRIPTION_PATH, serveDescription } from './description/serveDescription';
import { ApiError } from './errors';
import { pathOf } from './requestPath';
import type { Route } from './route';
import { validatorCompiler } from './validation';

declare module 'fastify' {
	interface FastifyContextConfig {
		/** What is served here of docs/service.md; absent on pages and controls. */
		route?: Route;
	}
	interface FastifySchema {
		operationId?: string;
	}
}

/**
 * `/documents/{id}` as the router writes it. A parameter is never empty: `/documents/` is no
 * document's path.
 */
function routerPath(path: string): string {
	return path.replace(/\{(\w+)\}/g, ':$1(^.+$)');
}

function serve(app: FastifyInstance, route: Route, schema: FastifySchema): void {
	app.route({
		method: route.method,
		url: routerPath(route.path),
		config: { route },
		schema,
		// The parts of a multipart body are checked as they are read.
		...(route.multipart && { validatorCompiler: () => () => true }),
		onRequest: async (request) => {
			const isMultipart = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
			if (route.multipart && !isMultipart) throw new ApiError('multipart_required');
		},
		preValidation: async (request) => {
			// No body at all is an empty object; `null` is not.
			if (request.body === undefined && route.body) request.body = {};
		},
		handler: async (request, reply) => {
			const mode = request.apiMode;
			if (!mode) throw new ApiError('unauthorized');
			const { params, query, body } = request;
			const call = { mode, path: params as Record<string, string>, query, body, request };
			return reply.code(route.status).send(await route.handle(call));
		},
	});
}

/**
 * A known path under an unknown method, TRACE included, is a 405 that names the methods it knows;
 * the rest is a 404. Said before the body is read, which the framework does differently for each
 * method.
 */
function refuseTheRest(app: FastifyInstance, routes: readonly Route[]): void {
	const served = [{ method: 'GET', path: DESCRIPTION_PATH }, ...routes].map(({ method, path }) => ({
		method,
		pattern: new RegExp(`^${app.prefix}${path.replace(/\{\w+\}/g, '[^/]+')}$`),
	}));
	app.addHook('onRequest', async (request, reply) => {
		if (!request.is404) return;
		const path = pathOf(request);
		const known = served.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
		if (known.length === 0 || known.includes(request.method)) throw new ApiError('not_found');
		reply.header('allow', known.join(', '));
		throw new ApiError('method_not_allowed');
	});
	app.setNotFoundHandler(() => {
		throw new ApiError('not_found');
	});
}

/** Serves the endpoints of docs/service.md, and their description, under /v1. */
export function serveRoutes(routes: readonly Route[], serverUrl: () => string) {
	return async (app: FastifyInstance): Promise<void> => {
		const named = new NamedSchemas();
		acceptJsonBodies(app);
		await app.register(multipart, { throwFileSizeLimit: false });
		await serveDescription(app, routes, named, serverUrl);
		const described = routes.map((route) => ({ route, schema: describeRoute(route, named) }));
		for (const schema of named.all()) app.addSchema(schema);
		app.setValidatorCompiler(validatorCompiler(named.all()));
		app.setSerializerCompiler(() => JSON.stringify);
		refuseTheRest(app, routes);
		for (const { route, schema } of described) serve(app, route, schema);
	};
}
