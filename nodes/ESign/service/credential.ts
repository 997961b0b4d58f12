import { isLoopback } from './urls';

/** What a credential holds, fit to be used. */
export type Credential = {
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	apiKey: string;
};

/** Why a credential cannot be used, and what to do about it. */
export type CredentialProblem = { message: string; remedy: string };

const ADDRESS =
	'Set the Base URL of the eSign credential to the address of the service, e.g. https://api.example.com/v1.';
const KEY = 'Paste a key that starts with sk_live_ or sk_test_.';

/**
 * Reads a credential before its key goes anywhere (docs/service.md section 5): for the nodes and
 * for its test.
 */
export function readCredential(given: {
	baseUrl?: unknown;
	apiKey?: unknown;
}): Credential | CredentialProblem {
	const baseUrl = readBaseUrl(String(given.baseUrl ?? '').trim());
	if (typeof baseUrl !== 'string') return baseUrl;
	const apiKey = String(given.apiKey ?? '').trim();
	if (apiKey === '')
		return { message: 'The API key in the eSign credential is empty', remedy: KEY };
	// A line break would end the header; other letters could not be sent in one, and no key holds
	// them.
	if (!/^[ -~]+$/.test(apiKey)) {
		return {
			message: 'The API key in the eSign credential contains characters that no key has',
			remedy: 'Paste the key again, as a single line that starts with sk_live_ or sk_test_.',
		};
	}
	return { baseUrl, apiKey };
}

function readBaseUrl(text: string): string | CredentialProblem {
	if (!URL.canParse(text))
		return { message: 'The base URL in the eSign credential is not a URL', remedy: ADDRESS };
	const url = new URL(text);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
		return {
			message: 'The base URL in the eSign credential must start with https://',
			remedy: `${ADDRESS} Plain http is accepted only for a sandbox on this machine.`,
		};
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		return {
			message: 'The base URL in the eSign credential must be an address only',
			remedy: `${ADDRESS} No user name, no query and no fragment belong in it.`,
		};
	}
	const path = url.pathname.replace(/(?<!\/)\/+$/, '');
	if (!path.endsWith('/v1')) {
		return { message: 'The base URL in the eSign credential must end in /v1', remedy: ADDRESS };
	}
	return `${url.origin}${path}`;
}
