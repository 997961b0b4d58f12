import { ApiError, invalid } from '../http/errors';
import type { EmbedLinkWire } from '../schemas/documentAnswers';
import type { EmbedOptions } from '../schemas/documentRequests';
import { EMBED_SECONDS } from '../schemas/formats';
import type { EmbedSession, Recipient, SignDocument } from '../state/entities';
import { randomText } from '../state/ids';
import type { World } from '../state/world';
import { requireInProgress } from './transitions';

/**
 * Sessions past their end are remembered this long, so that their address says that it has expired.
 */
const REMEMBERED_MS = 3_600_000;
const SWEEP_ABOVE = 1_000;

/**
 * Rule 9 of template send and rule 7 of section 4: embedding needs an allowed origin on the
 * workspace.
 */
export function requireEmbedOrigin(world: World): void {
	if (world.state.workspace.embedOrigins.length === 0)
		throw new ApiError('embedding_not_configured');
}

function sweep(world: World): void {
	if (world.state.embeds.size < SWEEP_ABOVE) return;
	for (const [token, { expiresAt }] of world.state.embeds) {
		if (expiresAt + REMEMBERED_MS < world.timeline.now()) world.state.embeds.delete(token);
	}
}

/** A short-lived address at which one signer signs inside the caller's application. */
export function createEmbedLink(
	world: World,
	document: SignDocument,
	recipient: Recipient,
	options: EmbedOptions,
): EmbedLinkWire {
	requireInProgress(document);
	requireEmbedOrigin(world);
	if (recipient.type === 'cc') throw invalid('recipientId', 'must not be a cc recipient');
	sweep(world);
	const expiresAt = world.timeline.now() + (options.expires_in ?? EMBED_SECONDS) * 1_000;
	const token = randomText(40);
	world.state.embeds.set(token, {
		recipientId: recipient.id,
		redirectUrl: options.redirect_url ?? null,
		expiresAt,
	});
	return { url: `${world.origin}/embed/${token}`, expires_at: new Date(expiresAt).toISOString() };
}

export function findEmbed(world: World, token: string): EmbedSession | 'expired' | undefined {
	const session = world.state.embeds.get(token);
	if (session && session.expiresAt <= world.timeline.now()) return 'expired';
	return session;
}
