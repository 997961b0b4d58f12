import type { IHookFunctions, IHttpRequestOptions, IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { now, sharedSecret } from '../../transport';
import { readCallFailure } from '../callFailure';
import { controlKey, newMessage, open, seal, type ControlAnswer, type ControlMessage } from '../control';
import { isSameUrl, ownerOf } from '../identity';
import type { Known } from '../known';
import type { KnownEndpoint } from '../members';

/** From where an endpoint is looked after: n8n's hooks, and the look of a running trigger. */
export type EndpointContext = IHookFunctions | ITriggerFunctions;

/** When to give up at the latest, and what ends the work before: see `ApiRequest`. */
export type Limits = { deadline?: number; signal?: AbortSignal };

const LONGEST_MS = 10_000;

/** What came of a control message: an answer from somebody with the key, or why there is none. */
type Reply = { answer: ControlAnswer } | { obstacle: string; status?: number };

async function ask(
	context: EndpointContext,
	url: string,
	message: ControlMessage,
	secret: string,
	{ deadline = Infinity, signal }: Limits,
): Promise<Reply> {
	const key = controlKey(secret);
	const request: IHttpRequestOptions = {
		method: 'POST',
		url,
		body: { sealed: seal(message, key) },
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: Math.max(1, Math.min(LONGEST_MS, deadline - now())),
		abortSignal: signal,
	};
	try {
		const { statusCode, body } = (await context.helpers.httpRequest(request)) as IN8nHttpFullResponse;
		const answer = statusCode === 200 ? open<ControlAnswer>(body, key) : undefined;
		// Something in front of n8n may answer 200 to everything.
		if (answer?.nonce === message.nonce) return { answer };
		return { obstacle: `${url} answered ${statusCode}, and not as this trigger would`, status: statusCode };
	} catch (error) {
		const { code } = (error as { cause?: { code?: string } }).cause ?? {};
		const isNobody = ['ECONNREFUSED', 'ENOTFOUND'].includes(code ?? '') || undefined;
		return {
			obstacle: `${url} cannot be reached from n8n: ${readCallFailure(error).message}`,
			status: isNobody && 404,
		};
	}
}

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
	const reply = await ask(context, url, message, await sharedSecret(context), limits);
	if ('obstacle' in reply) return reply.obstacle;
	known.merge(reply.answer.members);
	return undefined;
}

/**
 * Whether another n8n uses an endpoint of which we hold the secret: one that was made of a copy of our database, or that
 * ours was made of. It is asked at the endpoint's own URL. Our own n8n may answer there too, when only its address has
 * changed; it then names the new one.
 *
 * An address that says nothing clear (a timeout, a 502 of its proxy) may be that of an n8n that is just starting.
 */
export async function isUsedElsewhere(
	context: EndpointContext,
	{ url, secret }: KnownEndpoint,
	limits: Limits,
): Promise<boolean> {
	const reply = await ask(context, url, newMessage(), secret, limits);
	if ('answer' in reply) return isSameUrl(reply.answer.url, url);
	return reply.status === undefined || reply.status >= 500;
}
