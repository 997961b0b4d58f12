import { isLoopback } from './urls';

/** What a credential holds, fit to be used. */
type Credential = {
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	apiKey: string;
};

/** Throws for a credential that cannot be used: why, and what to do about it. */
type Refuse = (message: string, remedy: string) => never;

const ADDRESS =
	'Set the Base URL of the eSign credential to the address of the service, e.g. https://api.example.com/v1.';
const KEY = 'Paste a key that starts with sk_live_ or sk_test_.';

/**
 * Reads a credential before its key goes anywhere (docs/service.md section 5): for the nodes and
 * for its test.
 */
export function readCredential(
	given: { baseUrl?: unknown; apiKey?: unknown },
	refuse: Refuse,
): Credential {
	const baseUrl = readBaseUrl(String(given.baseUrl ?? '').trim(), refuse);
	const apiKey = String(given.apiKey ?? '').trim();
	if (apiKey === '') refuse('The API key in the eSign credential is empty', KEY);
	// A line break would end the header; other letters could not be sent in one, and no key holds
	// them.
	if (!/^[ -~]+$/.test(apiKey)) {
		refuse(
			'The API key in the eSign credential contains characters that no key has',
			'Paste the key again, as a single line that starts with sk_live_ or sk_test_.',
		);
	}
	return { baseUrl, apiKey };
}

function readBaseUrl(text: string, refuse: Refuse): string {
	if (!URL.canParse(text)) refuse('The base URL in the eSign credential is not a URL', ADDRESS);
	const url = new URL(text);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
		refuse(
			'The base URL in the eSign credential must start with https://',
			`${ADDRESS} Plain http is accepted only for a sandbox on this machine.`,
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		refuse(
			'The base URL in the eSign credential must be an address only',
			`${ADDRESS} No user name, no query and no fragment belong in it.`,
		);
	}
	const path = url.pathname.replace(/(?<!\/)\/+$/, '');
	if (!path.endsWith('/v1')) {
		refuse('The base URL in the eSign credential must end in /v1', ADDRESS);
	}
	return `${url.origin}${path}`;
}
