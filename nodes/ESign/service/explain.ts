import { ERROR_CATALOGUE, type Explanation } from './errors';

/**
 * What a status says when its code says nothing known (docs/service.md section 7, status codes). A
 * 429 and a 5xx are not refusals: client/call/outcome.ts.
 */
const BY_STATUS: Record<number, Explanation> = {
	400: ['The service found the request invalid', 'Correct the values of this operation.'],
	401: [
		'The service does not accept the API key',
		'The key may be mistyped, revoked or expired, or its creator lost access. Check it in the eSign credential, and in the workspace settings (Developer, API keys).',
	],
	402: [
		'The plan of this workspace does not allow this',
		'Check the plan and its limits in the workspace settings.',
	],
	403: [
		'The service refuses this key',
		'Check the scopes of the key and the IP allowlist of the workspace: it must contain the address of this n8n.',
	],
	404: [
		'The service did not find what this operation is for',
		'Check the IDs, and that the Base URL of the credential is right. A test key does not see what a live key made, nor a live key what a test key made.',
	],
	409: [
		'The state of the document or template does not allow this',
		'Read it to see its current state.',
	],
	413: ['The request is too large for the service', 'A file may have up to 25 MB.'],
	415: ['The service does not take files of this type', 'Use PDF, DOCX, DOC, PNG or JPEG.'],
};

const REDIRECT: Explanation = [
	'The service answered with a redirect, which is not followed',
	'Set the Base URL of the eSign credential to the address that the service really has.',
];

const OTHER: Explanation = [
	'The service refused the request',
	'Check the values of this operation.',
];

/** What a code means, or failing that the status it came with, and what to do. */
export function explain(code: string, status: number, said: string): Explanation {
	const byCode = Object.hasOwn(ERROR_CATALOGUE, code) ? ERROR_CATALOGUE[code] : undefined;
	if (byCode) return byCode;
	if (status < 400) return REDIRECT;
	const [message, remedy] = BY_STATUS[status] ?? OTHER;
	return [said === '' ? message : `${message}: ${said}`, remedy];
}
