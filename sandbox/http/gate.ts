import { BlockList, isIP } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../state/entities';
import type { Scope } from '../state/vocabulary';
import type { World } from '../state/world';
import { ApiError } from './errors';
import type { RateLimiter } from './rateLimit';

const PLAN_WITH_API = 'BUSINESS';

/** The key that a request carries, if it is one that works; the reason why not otherwise. */
export function authenticate(world: World, authorization: string | undefined): ApiKey | string {
	if (!authorization) return 'The Authorization header is missing.';
	const secret = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
	if (!secret) return 'The Authorization header must read: Bearer <API key>.';
	const key = world.state.keys.get(secret);
	if (!key) return 'The API key is unknown or was revoked.';
	if (key.expiresAt !== null && key.expiresAt <= world.timeline.now())
		return 'The API key has expired.';
	return key;
}

/**
 * Counts the request against its key's window and writes the x-ratelimit headers; 429 beyond the
 * limit.
 */
export function limitRate(limiter: RateLimiter, key: ApiKey, reply: FastifyReply): void {
	const allowance = limiter.count(key.secret);
	if (!allowance) return;
	reply.header('x-ratelimit-limit', allowance.limit);
	reply.header('x-ratelimit-remaining', allowance.remaining);
	reply.header('x-ratelimit-reset', allowance.reset);
	if (!allowance.exceeded) return;
	reply.header('retry-after', allowance.reset);
	throw new ApiError('request_failed');
}

/**
 * A list of addresses and CIDR ranges that lets an address through; undefined when one of them is
 * neither.
 */
export function allowlistOf(entries: readonly string[]): BlockList | undefined {
	const list = new BlockList();
	for (const entry of entries) {
		const [address = '', prefix, ...rest] = entry.split('/');
		const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
		const bits = prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix);
		if (isIP(address) === 0 || rest.length > 0 || !Number.isInteger(bits)) return undefined;
		if (bits < 0 || bits > (family === 'ipv6' ? 128 : 32) || prefix === '') return undefined;
		list.addSubnet(address, bits, family);
	}
	return list;
}

function isAllowed(entries: readonly string[], ip: string): boolean {
	if (entries.length === 0) return true;
	const address = ip.replace(/^::ffff:/i, '');
	return allowlistOf(entries)?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false;
}

/**
 * Who may call at all, and this operation (docs/service.md section 5). Throws 402 and 403 refusals.
 */
export function authorise(
	world: World,
	key: ApiKey,
	scope: Scope | null,
	request: FastifyRequest,
): void {
	const { workspace } = world.state;
	if (!isAllowed(workspace.ipAllowlist, request.ip)) throw new ApiError('ip_not_allowed');
	if (workspace.suspended) throw new ApiError('org_suspended');
	if (workspace.plan === 'FREE')
		throw new ApiError('api_not_enabled', { extra: { requiredPlan: PLAN_WITH_API } });
	if (workspace.trialing && key.mode === 'LIVE') throw new ApiError('live_api_requires_paid_plan');
	if (scope !== null && !key.scopes.has(scope)) {
		throw new ApiError('insufficient_scope', { message: `The API key lacks the scope ${scope}.` });
	}
}
