import type { WebhookList } from '../../waiting/registerWithTriggers';
import { share } from '../share';
import type { WantedEndpoint } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import { OwnEndpoints, type Found, type InPlace } from './ownEndpoints';
import { recoverMissed } from './recoverMissed';

/**
 * Checks the endpoint, puts another in its place if it does not fit, and runs what was missed.
 *
 * @param isReachable whether n8n has just answered at its own address
 * @param list what the service has
 * @returns whether nothing is left to do
 * @throws NodeApiError the service refused, or did not answer
 */
export async function lookAfterEndpoint(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	isReachable: boolean,
	list: () => Promise<WebhookList>,
): Promise<boolean> {
	const { limits, state } = endpoints;
	const begunAt = Date.now();
	const listed = await list();
	limits.signal?.throwIfAborted();
	const found = endpoints.find(wanted, listed);
	// Without an answer it is unknown whether the workflow is active at all, and who would hold the
	// secret, unless the service has reached this very process.
	if (!found.fits && !isReachable && !state.activation.isProven) {
		const what = 'the webhook is gone or switched off';
		endpoints.log('error', `${what}, and is registered again once n8n answers`);
		return false;
	}
	const { fits, replaceable } = found;
	const inPlace = fits ? { fits, replaceable } : await putInPlace(endpoints, wanted, found);
	return await recoverMissed(endpoints, inPlace, { isReachable, begunAt });
}

async function putInPlace(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	found: Found,
): Promise<InPlace> {
	const { context, state, limits } = endpoints;
	const made = await createEndpoint(endpoints, wanted, found);
	const { id } = made.fits;
	// The trigger was switched off meanwhile: n8n's own hook could not delete what was not yet there.
	if (limits.signal?.aborted && !state.watch) await new OwnEndpoints(context, state, {}).delete(id);
	limits.signal?.throwIfAborted();
	// In queue mode other processes receive the deliveries; and after a restart only static data is
	// left.
	const obstacle = await share(context, state, wanted.url, { abortSignal: limits.signal });
	if (obstacle)
		endpoints.log('warn', `webhook ${id} is not known to all n8n processes yet: ${obstacle}`);
	return made;
}
