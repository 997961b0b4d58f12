import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { acceptJsonBodies } from '../http/bodies';
import { invalid } from '../http/errors';
import { allowlistOf } from '../http/gate';
import type { Guards } from '../http/server';
import { bodyValidator } from '../http/validation';
import { visitorInput } from '../schemas/templateRequests';
import type { SandboxService } from '../acts/service';
import { addTemplate } from '../templates/templates';
import type { World } from '../state/world';
import { createKey } from './keys';
import * as schemas from './controlBodies';

interface Control {
	method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	path: string;
	status: number;
	body: TSchema;
	handle(body: unknown, path: Record<string, string>): unknown;
}

function control<B extends TSchema>(
	method: Control['method'],
	path: string,
	body: B,
	handle: (body: Static<B>, path: Record<string, string>) => unknown,
	status = 200,
): Control {
	return { method, path, body, status, handle: handle as Control['handle'] };
}

function patchWorkspace(world: World, patch: schemas.WorkspaceBody): void {
	if (patch.ip_allowlist && !allowlistOf(patch.ip_allowlist)) {
		throw invalid('ip_allowlist', 'must hold IP addresses and CIDR ranges');
	}
	const { workspace } = world.state;
	workspace.plan = patch.plan ?? workspace.plan;
	workspace.trialing = patch.trialing ?? workspace.trialing;
	workspace.suspended = patch.suspended ?? workspace.suspended;
	workspace.embedOrigins = patch.embed_origins ?? workspace.embedOrigins;
	workspace.entitlements = patch.entitlements ?? workspace.entitlements;
	workspace.ipAllowlist = patch.ip_allowlist ?? workspace.ipAllowlist;
}

/** What stands where the web application, the people and the weather are in the real service. */
function controlsOf(
	world: World,
	service: SandboxService,
	guards: Guards,
	reset: () => void,
): Control[] {
	const done = {};
	const workspaceWire = () => {
		const { plan, trialing, suspended, embedOrigins, entitlements, ipAllowlist } =
			world.state.workspace;
		return {
			plan,
			trialing,
			suspended,
			embed_origins: embedOrigins,
			entitlements,
			ip_allowlist: ipAllowlist,
		};
	};
	return [
		control('POST', '/reset', schemas.emptyBody, () => {
			reset();
			return done;
		}),
		control('GET', '/requests', schemas.emptyBody, () => guards.log.list()),
		control(
			'POST',
			'/keys',
			schemas.keyBody,
			({ mode, scopes, expires_at }) => ({
				key: createKey(
					world,
					mode,
					scopes,
					expires_at === undefined ? undefined : new Date(expires_at),
				),
			}),
			201,
		),
		control('DELETE', '/keys/:key', schemas.emptyBody, (_body, { key = '' }) => {
			if (!world.state.keys.delete(key)) throw invalid('key', 'is not a key of this workspace');
			return done;
		}),
		control('PATCH', '/workspace', schemas.workspaceBody, (patch) => {
			patchWorkspace(world, patch);
			return workspaceWire();
		}),
		control(
			'POST',
			'/templates',
			schemas.templateBody,
			(body) => ({ id: addTemplate(world, body).id }),
			201,
		),
		control('POST', '/recipients/:id/view', schemas.emptyBody, async (_body, { id = '' }) => {
			await service.view(id);
			return done;
		}),
		control('POST', '/recipients/:id/sign', schemas.signBody, async ({ values }, { id = '' }) => {
			await service.sign(id, { ...(values && { values }), fillMissing: true });
			return done;
		}),
		control('POST', '/recipients/:id/decline', schemas.emptyBody, async (_body, { id = '' }) => {
			await service.decline(id);
			return done;
		}),
		control('POST', '/recipients/:id/reassign', schemas.personBody, async (to, { id = '' }) => {
			const { recipientId } = await service.reassign(id, to);
			return { recipient_id: recipientId };
		}),
		control(
			'POST',
			'/links/:slug/start',
			visitorInput,
			async (visitor, { slug = '' }) => {
				const { documentId } = await service.startLink(slug, visitor);
				return { document_id: documentId };
			},
			201,
		),
		control('POST', '/documents/:id/expire', schemas.emptyBody, async (_body, { id = '' }) => {
			await service.expire(id);
			return done;
		}),
		control('POST', '/clock/advance', schemas.advanceBody, async ({ seconds }) => {
			await world.timeline.advance(seconds);
			return { now: world.timeline.date().toISOString() };
		}),
		control(
			'POST',
			'/faults',
			schemas.faultSchema,
			(fault) => {
				guards.faults.add(fault);
				return done;
			},
			201,
		),
		control('DELETE', '/faults', schemas.emptyBody, () => {
			guards.faults.clear();
			return done;
		}),
	];
}

/**
 * Serves the controls of sandbox/README.md under /_sandbox: no key, no rate limit, JSON in and out.
 */
export function serveControls(
	world: World,
	service: SandboxService,
	guards: Guards,
	reset: () => void,
) {
	return async (app: FastifyInstance): Promise<void> => {
		acceptJsonBodies(app);
		for (const { method, path, body, status, handle } of controlsOf(
			world,
			service,
			guards,
			reset,
		)) {
			const validate = bodyValidator(body);
			app.route({
				method,
				url: path,
				handler: async (request: FastifyRequest, reply) => {
					const valid = validate(request.body === undefined ? {} : request.body);
					return reply
						.code(status)
						.send(await handle(valid, request.params as Record<string, string>));
				},
			});
		}
	};
}
