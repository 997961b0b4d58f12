import { ApiError } from '../http/errors';
import { randomText } from '../state/ids';
import { SCOPES, type Mode, type Scope } from '../state/vocabulary';
import type { World } from '../state/world';

/** docs/service.md section 8. */
const MAX_KEYS = 10;
const SECRET_LENGTH = 32;

/**
 * Makes a key; all scopes if none are named. Live keys cannot be created during a trial
 * (docs/service.md section 5).
 */
export function createKey(
	world: World,
	mode: Mode,
	scopes?: readonly Scope[],
	expiresAt?: Date,
): string {
	if (world.state.keys.size >= MAX_KEYS)
		throw new ApiError('api_key_limit_reached', { extra: { cap: MAX_KEYS } });
	if (mode === 'LIVE' && world.state.workspace.trialing)
		throw new ApiError('live_api_requires_paid_plan');
	const secret = `sk_${mode.toLowerCase()}_${randomText(SECRET_LENGTH)}`;
	addKey(world, secret, mode, scopes, expiresAt);
	return secret;
}

export function addKey(
	world: World,
	secret: string,
	mode: Mode,
	scopes?: readonly Scope[],
	expiresAt?: Date,
): void {
	world.state.keys.set(secret, {
		secret,
		mode,
		scopes: new Set(scopes ?? SCOPES),
		expiresAt: expiresAt?.getTime() ?? null,
	});
}
