import type { WebhookList } from '../../waiting/registerWithTriggers';
import { share } from '../share';
import type { WantedEndpoint } from '../triggerState';
import { createEndpoint } from './createEndpoint';
import type { InPlace, OwnEndpoints } from './ownEndpoints';
import { recoverMissed } from './recoverMissed';

/**
 * Asks n8n whether it answers, checks the endpoint, puts another in its place if it does not fit,
 * and runs what was missed.
 *
 * @param list what the service has
 * @returns whether nothing is left to do
 * @throws NodeApiError the service refused, or did not answer
 */
export async function lookAfterEndpoint(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	list: () => Promise<WebhookList>,
): Promise<boolean> {
	const { context, state, limits } = endpoints;
	const begunAt = Date.now();
	const obstacle = await share(context, state, wanted.url, { abortSignal: limits.signal });
	limits.signal?.throwIfAborted();
	if (obstacle) endpoints.log('warn', `n8n does not answer at its own webhook URL: ${obstacle}`);

	const isReachable = !obstacle;
	const inPlace = await endpointInPlace(endpoints, wanted, list, isReachable);
	return inPlace ? await recoverMissed(endpoints, inPlace, { isReachable, begunAt }) : false;
}

/** Checks the endpoint, and puts another in place of one that is gone or does not fit. */
async function endpointInPlace(
	endpoints: OwnEndpoints,
	wanted: WantedEndpoint,
	list: () => Promise<WebhookList>,
	isReachable: boolean,
): Promise<InPlace | undefined> {
	const { context, state, limits } = endpoints;
	const listed = await list();
	limits.signal?.throwIfAborted();
	const found = await endpoints.find(wanted, listed);
	const { fits, replaceable } = found;
	if (fits) return { fits, replaceable };

	// Without an answer it is unknown whether the workflow is active at all, and who would hold the
	// secret, unless the service has reached this very process.
	if (!isReachable && !state.activation.isProven) {
		const what = 'the webhook is gone or switched off';
		endpoints.log('error', `${what}, and is registered again once n8n answers`);
		return undefined;
	}
	const made = await createEndpoint(endpoints, wanted, found);
	const { id } = made.fits;
	// The trigger was switched off meanwhile: n8n's own hook could not delete what was not yet there.
	if (limits.signal?.aborted && !state.watch) await endpoints.with({ limits: {} }).delete(id);
	limits.signal?.throwIfAborted();
	// In queue mode other processes receive the deliveries; and after a restart only static data is
	// left.
	const obstacle = await share(context, state, wanted.url, { abortSignal: limits.signal });
	if (obstacle)
		endpoints.log('warn', `webhook ${id} is not known to all n8n processes yet: ${obstacle}`);
	return made;
}
