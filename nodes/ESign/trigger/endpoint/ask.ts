import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { askTrigger, newMessage, now, sharedSecret } from '../../transport';
import { isSameUrl, ownerOf } from '../identity';
import type { Known } from '../known';
import type { KnownEndpoint } from '../members';
import { tidy } from '../waits/waiting';

/** From where an endpoint is looked after: n8n's hooks, and the look of a running trigger. */
export type EndpointContext = IHookFunctions | ITriggerFunctions;

/** When to give up at the latest, and what ends the work before: see `ApiRequest`. */
export type Limits = { deadline?: number; signal?: AbortSignal };

const within = ({ deadline, signal }: Limits) => ({ signal, timeoutMs: deadline && deadline - now() });

/**
 * Shares the set with whatever process of this n8n answers at the trigger's own URL, and takes in what that one knows. An
 * answer also shows that the URL works, and that the workflow is active.
 *
 * @returns undefined, or what stands in the way
 */
export async function share(
	context: EndpointContext,
	known: Known,
	url: string,
	limits: Limits,
): Promise<string | undefined> {
	const message = newMessage({ owner: ownerOf(context), members: known.toShare() });
	const reply = await askTrigger(context, url, message, await sharedSecret(context), within(limits));
	if ('obstacle' in reply) return reply.obstacle;
	known.merge(reply.answer.members);
	// Or what is over would be shared for ever, and in the end crowd out those that wait.
	tidy(known);
	return undefined;
}

/**
 * Whether another n8n may use an endpoint of which we hold the secret: one that was made of a copy of our database, or that
 * ours was made of. It is asked at the endpoint's own URL. Our own n8n may answer there too, when only its address has
 * changed; it then names the new one.
 *
 * Only an n8n that says that it has no such webhook leaves no doubt. An address that refuses connections, does not answer, or
 * answers 502, 403 or a 404 of its own may be that of an n8n that is starting, or that lets in the service alone.
 */
export async function mayBeUsedElsewhere(
	context: EndpointContext,
	{ url, secret }: KnownEndpoint,
	limits: Limits,
): Promise<boolean> {
	const reply = await askTrigger(context, url, newMessage(), secret, within(limits));
	if ('answer' in reply) return isSameUrl(reply.answer.url, url);
	return !reply.isUnregistered;
}
