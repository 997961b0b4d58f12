import { ERROR_CATALOGUE, type Explanation } from './errors';

/**
 * What a status says when its code says nothing known (docs/service.md section 7, status codes).
 */
const BY_STATUS: Record<number, Explanation> = {
	400: {
		message: 'The service found the request invalid',
		remedy: 'Correct the values of this operation.',
	},
	401: {
		message: 'The service does not accept the API key',
		remedy:
			'The key may be mistyped, revoked or expired, or its creator lost access. Check it in the eSign credential, and in the workspace settings (Developer, API keys).',
	},
	402: {
		message: 'The plan of this workspace does not allow this',
		remedy: 'Check the plan and its limits in the workspace settings.',
	},
	403: {
		message: 'The service refuses this key',
		remedy:
			'Check the scopes of the key and the IP allowlist of the workspace: it must contain the address of this n8n.',
	},
	404: {
		message: 'The service did not find what this operation is for',
		remedy:
			'Check the IDs, and that the Base URL of the credential is right. A test key does not see what a live key made, nor a live key what a test key made.',
	},
	409: {
		message: 'The state of the document or template does not allow this',
		remedy: 'Read it to see its current state.',
	},
	413: {
		message: 'The request is too large for the service',
		remedy: 'A file may have up to 25 MB.',
	},
	415: {
		message: 'The service does not take files of this type',
		remedy: 'Use PDF, DOCX, DOC, PNG or JPEG.',
	},
	429: ERROR_CATALOGUE.request_failed as Explanation,
};

/** What a status says that is not in the table: a redirect, a fault, or anything else. */
const BY_CLASS: Record<number, Explanation> = {
	3: {
		message: 'The service answered with a redirect, which is not followed',
		remedy: 'Set the Base URL of the eSign credential to the address that the service really has.',
	},
	5: {
		message: 'The service failed',
		remedy: 'Try again later. If it keeps failing, contact the support of the service.',
	},
};

/** The explanation of a code, or failing that of the status it came with. */
export function explain(code: string, status: number, said: string): Explanation {
	const byCode = Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code] : undefined;
	const known = byCode ?? BY_CLASS[Math.floor(status / 100)];
	if (known) return known;
	const { message, remedy } = BY_STATUS[status] ?? {
		message: 'The service refused the request',
		remedy: 'Check the values of this operation.',
	};
	if (said !== '') return { message: `${message}: ${said}`, remedy };
	return { message: BY_STATUS[status] ? message : `${message} with status ${status}`, remedy };
}
