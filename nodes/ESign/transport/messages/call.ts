import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { ApiContext } from '../context/context';
import { controlKey, seal, unseal, type ControlAnswer, type ControlMessage } from './sealed';

/** What came back of a sealed message: the answer of somebody who holds the secret, or whatever else has answered. */
export interface Returned {
	answer?: ControlAnswer;
	statusCode: number;
	body: unknown;
}

/**
 * Posts a sealed message to an address of an n8n. Something in front of n8n may answer 200 to everything: only what is
 * sealed with the same secret and repeats the message's nonce is an answer.
 *
 * @throws the client's error, which holds the address
 */
export async function callSealed(
	context: ApiContext,
	url: string,
	message: ControlMessage,
	secret: string,
	{ timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<Returned> {
	const key = controlKey(secret);
	const request: IHttpRequestOptions = {
		method: 'POST',
		url,
		body: { sealed: seal(message, key) },
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: timeoutMs,
		abortSignal: signal,
	};
	const { statusCode, body } = (await context.helpers.httpRequest(request)) as IN8nHttpFullResponse;
	const answer = statusCode === 200 ? unseal<ControlAnswer>(body, key) : undefined;
	return { answer: answer?.nonce === message.nonce ? answer : undefined, statusCode, body };
}
