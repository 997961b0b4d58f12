import { createHash, createHmac } from 'crypto';
import { NodeOperationError, type IDataObject } from 'n8n-workflow';
import { isLoopback } from '../../service/loopback';
import type { ApiContext } from './context';

export const CREDENTIAL_TYPE = 'eSignApi';

/** The service as one credential reaches it. */
export type Service = {
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	/** Stands for base URL and key, and gives neither away: what the key's state in this process is filed under. */
	keyId: string;
	/** What all nodes with this API key have in common, to talk to each other by: see `sharedSecret`. */
	sharedSecret: string;
};

const known = new WeakMap<ApiContext, Promise<Service>>();

/**
 * The service behind the context's credential, decrypted once per context. A running trigger has one context for months,
 * in which the credential may change; and one that could not be read is read again.
 *
 * @throws NodeOperationError if the base URL cannot be used
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

async function readService(context: ApiContext): Promise<Service> {
	const credentials = await context.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const baseUrl = checkedBaseUrl(context, String(credentials.baseUrl ?? ''));
	const key = String(credentials.apiKey ?? '');
	if (key.trim() === '') {
		throw refused(
			context,
			'The API key in the eSign credential is empty',
			'Paste a key that starts with sk_live_ or sk_test_.',
		);
	}
	// A line break would end the header; other letters could not be sent in one, and no key holds them.
	if (!/^[ -~]+$/.test(key.trim())) {
		throw refused(
			context,
			'The API key in the eSign credential holds characters that no key has',
			'Paste the key again, as a single line that starts with sk_live_ or sk_test_.',
		);
	}
	return {
		baseUrl,
		keyId: createHash('sha256').update(`${baseUrl}\n${key}`).digest('hex'),
		sharedSecret: createHmac('sha256', key).update('n8n-nodes-esign shared secret').digest('hex'),
	};
}

function checkedBaseUrl(context: ApiContext, text: string): string {
	const remedy =
		'Set the Base URL of the eSign credential to the address of the service, e.g. https://api.example.com/v1.';
	let url: URL;
	try {
		url = new URL(text.trim());
	} catch {
		throw refused(context, 'The base URL in the eSign credential is not a URL', remedy);
	}
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
		throw refused(
			context,
			'The base URL in the eSign credential must start with https://',
			`${remedy} Plain http is accepted only for a sandbox on this machine.`,
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw refused(
			context,
			'The base URL in the eSign credential must be an address only',
			`${remedy} No user name, no query and no fragment belong in it.`,
		);
	}
	const path = url.pathname.replace(/(?<!\/)\/+$/, '');
	if (!path.endsWith('/v1')) {
		throw refused(context, 'The base URL in the eSign credential must end in /v1', remedy);
	}
	return `${url.origin}${path}`;
}

function refused(context: ApiContext, message: string, description: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, { description });
}
