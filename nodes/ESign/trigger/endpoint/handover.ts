import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'crypto';
import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';
import { failureOf } from './failures';
import { signatureHeader } from '../delivery/signature';
import { heldEndpointOf, type HeldEndpoint } from './state';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const TIMEOUT_MS = 10_000;

/** A body that is no event of the service: it names none. */
type Handover = { handover: string };

/** Neither the signature nor what it covers gives this key away. */
const keyOf = (secret: string): Buffer => createHmac('sha256', secret).update('handover').digest();

/** What is answered, by whoever can open a handover, once its endpoint is the one that n8n holds. */
export const inPlace = ({ id }: Pick<HeldEndpoint, 'id'>): string => `Webhook ${id} is in place`;

function seal(endpoint: HeldEndpoint, secret: string): Handover {
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv(CIPHER, keyOf(secret), iv);
	const sealed = Buffer.concat([cipher.update(JSON.stringify(endpoint), 'utf8'), cipher.final()]);
	return { handover: Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64') };
}

/** The endpoint that a verified body hands over; undefined for every other body. */
export function openHandover(payload: unknown, secret: string | undefined): HeldEndpoint | undefined {
	const { handover } = (payload ?? {}) as IDataObject;
	if (typeof handover !== 'string' || !secret) return undefined;
	const bytes = Buffer.from(handover, 'base64');
	try {
		const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
		decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
		const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
		return heldEndpointOf(JSON.parse(text.toString('utf8')));
	} catch {
		return undefined;
	}
}

/**
 * Sends an endpoint to the trigger's own webhook URL, for n8n to hold it from now on. That is the one way for a running
 * trigger to change what n8n keeps: its own static data is the copy of the activation, and saving that would put the
 * whole workflow's back to then; `webhook` is given the present one, in whatever process receives it.
 *
 * @param secret what n8n holds now: it signs the request and seals the new secret in it
 * @returns undefined if the answer says that n8n holds the endpoint, else what went wrong
 */
export async function handOver(
	context: ITriggerFunctions,
	endpoint: HeldEndpoint,
	secret: string,
): Promise<string | undefined> {
	const body = JSON.stringify(seal(endpoint, secret));
	try {
		const { statusCode, body: answer } = (await context.helpers.httpRequest({
			method: 'POST',
			url: endpoint.url,
			body,
			headers: {
				'content-type': 'application/json',
				'x-esign-signature': signatureHeader(Buffer.from(body), secret, Date.now()),
			},
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: TIMEOUT_MS,
		})) as { statusCode: number; body: unknown };
		// Something in front of n8n may answer 200 to everything.
		const isHeld = statusCode === 200 && JSON.stringify(answer ?? '').includes(inPlace(endpoint));
		return isHeld ? undefined : `n8n's own address ${endpoint.url} answered ${statusCode}`;
	} catch (error) {
		return `n8n's own address ${endpoint.url} cannot be reached from n8n: ${failureOf(error).message}`;
	}
}
