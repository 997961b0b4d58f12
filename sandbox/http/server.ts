import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Mode } from '../state/vocabulary';
import type { World } from '../state/world';
import { refusalFor } from './bodies';
import { ApiError, envelope } from './errors';
import { failAfter, failBefore, type Fault, type Faults } from './faults';
import { authenticate, authorise, limitRate } from './gate';
import { refuseConnection } from './malformed';
import type { RateLimiter } from './rateLimit';
import { pathOf } from './requestPath';
import type { LoggedRequest, RequestLog } from './requestLog';

declare module 'fastify' {
	interface FastifyRequest {
		/** The mode of the caller's key, once it was let in. */
		apiMode: Mode | null;
		faultAfter: Fault | null;
		logged: LoggedRequest | null;
	}
}

/** 500 fields with everything they may hold stay below this. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
const MAX_PATH_SEGMENT = 2_000;
/** Long enough for 25 MB over a slow line. */
const ARRIVAL_MS = 60_000;
const CHECKING_MS = 5_000;
const PREFIX = '/v1';
const JSON_TYPE = 'application/json; charset=utf-8';

export interface Guards {
	limiter: RateLimiter;
	log: RequestLog;
	faults: Faults;
}

function isApi(path: string): boolean {
	return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/**
 * The way every API request takes: log, key, rate, workspace and scope, and a fault that was asked
 * for.
 */
function guardApi(app: FastifyInstance, world: World, { limiter, log, faults }: Guards): void {
	app.addHook('onRequest', async (request, reply) => {
		reply.header('date', world.timeline.date().toUTCString());
		const path = pathOf(request);
		if (!isApi(path)) return;
		const at = world.timeline.date().toISOString();
		request.logged = log.add({ method: request.method, path, status: null, at });
		const { route } = request.routeOptions.config;
		const key = authenticate(world, request.headers.authorization);
		if (typeof key !== 'string') limitRate(limiter, key, reply);
		// Paths and methods that do not exist say so to everyone.
		if (!route) return;
		if (typeof key === 'string') throw new ApiError('unauthorized', { message: key });
		authorise(world, key, route.scope, request);
		request.apiMode = key.mode;
		const fault = faults.take(request.method, path.slice(PREFIX.length));
		if (fault?.when === 'after') request.faultAfter = fault;
		if (fault?.when !== 'before') return;
		await failBefore(fault, request, reply);
		if (fault.kind !== 'delay') return reply;
	});
	app.addHook('onSend', async (request, reply, payload) => {
		const fault = request.faultAfter;
		request.faultAfter = null;
		const sent = fault ? await failAfter(fault, reply, payload) : payload;
		if (request.logged && fault?.kind !== 'drop') request.logged.status = reply.statusCode;
		return sent;
	});
}

function sendError(error: unknown, reply: FastifyReply): void {
	const refusal = refusalFor(error);
	if (refusal !== error && refusal.statusCode >= 500)
		process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
	void reply.code(refusal.statusCode).type(JSON_TYPE).send(envelope(refusal));
}

/**
 * A server with the guards of the API in place and no routes yet. A request that has not arrived in
 * full within `requestTimeout` milliseconds is closed.
 */
export function createServer(
	world: World,
	guards: Guards,
	requestTimeout = ARRIVAL_MS,
): FastifyInstance {
	const app = fastify({
		bodyLimit: MAX_JSON_BYTES,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: MAX_PATH_SEGMENT },
		clientErrorHandler: refuseConnection,
		requestTimeout,
		http: {
			headersTimeout: requestTimeout,
			connectionsCheckingInterval: Math.min(requestTimeout, CHECKING_MS),
		},
		frameworkErrors: (_error, _request, reply) =>
			sendError(new ApiError('not_found'), reply as FastifyReply),
	});
	app.decorateRequest('apiMode', null);
	app.decorateRequest('faultAfter', null);
	app.decorateRequest('logged', null);
	guardApi(app, world, guards);
	app.setErrorHandler((error, request, reply) => {
		// Nobody is left to be answered, and nothing here is at fault.
		if (request.raw.destroyed && !request.raw.complete) reply.hijack();
		else sendError(error, reply);
	});
	app.setNotFoundHandler((_request, reply) => sendError(new ApiError('not_found'), reply));
	return app;
}
