import { createHash, createHmac } from 'crypto';
import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { readCredential } from '../../service/credential';
import type { ApiContext } from './context';

export const CREDENTIAL_TYPE = 'eSignApi';

/** The service as one credential reaches it. */
export type Service = {
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	/** Stands for base URL and key, and gives neither away: what the key's state in this process is filed under. */
	keyId: string;
	/** Base URL and mode, which all keys of a workspace have in common that see the same objects. */
	place: string;
	/** What all nodes with this API key have in common, to talk to each other by: see `sharedSecret`. */
	sharedSecret: string;
};

const known = new WeakMap<ApiContext, Promise<Service>>();

/**
 * The service behind the context's credential, decrypted once per context. A running trigger has one context for months,
 * in which the credential may change; and one that could not be read is read again.
 *
 * @throws NodeOperationError if the base URL or the key cannot be used
 */
export async function serviceOf(context: ApiContext): Promise<Service> {
	if ('emit' in context) return await readService(context);
	let service = known.get(context);
	if (!service) {
		service = readService(context);
		known.set(context, service);
		service.catch(() => known.delete(context));
	}
	return await service;
}

/** A secret that every node with this API key can work out, in whatever process, and nobody else. */
export async function sharedSecret(context: ApiContext): Promise<string> {
	return (await serviceOf(context)).sharedSecret;
}

/**
 * Stands for base URL and API key, and gives neither away: what was done with one key is nothing to another.
 *
 * @throws NodeOperationError if the credential cannot be used
 */
export async function keyIdOf(context: ApiContext): Promise<string> {
	return (await serviceOf(context)).keyId;
}

/**
 * Base URL and mode of the key: what was done with one key is nothing to another, unless it is the next key to the same objects
 * (docs/service.md section 5).
 *
 * @throws NodeOperationError if the credential cannot be used
 */
export async function placeOf(context: ApiContext): Promise<string> {
	return (await serviceOf(context)).place;
}

/** Whether the key is of the test mode, in which nothing reaches anybody. */
export async function isTestKey(context: ApiContext): Promise<boolean> {
	return (await serviceOf(context)).place.endsWith(' test');
}

async function readService(context: ApiContext): Promise<Service> {
	const read = readCredential(await context.getCredentials<IDataObject>(CREDENTIAL_TYPE));
	if ('message' in read) {
		throw new NodeOperationError(context.getNode(), read.message, { description: read.remedy });
	}
	const { baseUrl, apiKey } = read;
	return {
		baseUrl,
		keyId: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		place: `${baseUrl} ${/^sk_(live|test)_/.exec(apiKey)?.[1] ?? ''}`,
		sharedSecret: createHmac('sha256', apiKey).update('n8n-nodes-esign shared secret').digest('hex'),
	};
}
