import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptJsonBodies } from './bodies';
import type { Route } from './route';
import { ApiError } from './errors';
import { validatorFor } from './validation';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

declare module 'fastify' {
	interface FastifyContextConfig {
		/** The endpoint of docs/service.md that a route serves; absent on pages and controls. */
		endpoint?: Route;
	}
}

/** `/documents/{id}` as the router writes it. */
function routerPath(path: string): string {
	return path.replace(/\{(\w+)\}/g, ':$1');
}

function register(app: FastifyInstance, endpoint: Route): void {
	const body = endpoint.body && validatorFor(endpoint.body, 'body');
	const query = endpoint.query && validatorFor(endpoint.query, 'query');
	app.route({
		method: endpoint.method,
		url: routerPath(endpoint.path),
		config: { endpoint },
		onRequest: async (request) => {
			const isMultipart = /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '');
			if (endpoint.multipart && !isMultipart) throw new ApiError('multipart_required');
		},
		handler: async (request, reply) => {
			const mode = request.apiMode;
			if (!mode) throw new ApiError('unauthorized');
			const call = {
				mode,
				path: request.params as Record<string, string>,
				query: query?.({ ...(request.query as object) }),
				body: body?.(request.body ?? {}),
				request,
			};
			return reply.code(endpoint.status).send(await endpoint.handle(call));
		},
	});
}

/** A known path under an unknown method is a 405 that names the methods it knows. */
function refuseOtherMethods(app: FastifyInstance, endpoints: readonly Route[]): void {
	for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
		const known = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
		app.route({
			method: METHODS.filter((method) => !known.some((one) => one === method)),
			url: routerPath(path),
			handler: async (_request: FastifyRequest, reply) => {
				reply.header('allow', known.join(', '));
				throw new ApiError('method_not_allowed');
			},
		});
	}
}

/** Serves the endpoints of docs/service.md under /v1. */
export function serveRoutes(endpoints: readonly Route[]) {
	return async (app: FastifyInstance): Promise<void> => {
		acceptJsonBodies(app);
		await app.register(multipart, { throwFileSizeLimit: false });
		for (const endpoint of endpoints) register(app, endpoint);
		refuseOtherMethods(app, endpoints);
	};
}
