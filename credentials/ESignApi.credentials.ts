import {
	UserError,
	type IAuthenticateRuleResponseCode,
	type IAuthenticateRuleResponseSuccessBody,
	type ICredentialDataDecryptedObject,
	type Icon,
	type ICredentialTestRequest,
	type ICredentialType,
	type IHttpRequestOptions,
	type INodeProperties,
} from 'n8n-workflow';
import { readCredential } from '../nodes/ESign/service/credential';

/** What the credential dialog says to a status. */
const refusal = (value: number, message: string): IAuthenticateRuleResponseCode => ({
	type: 'responseCode',
	properties: { value, message },
});

const NO_SERVICE = 'There is no such service at the Base URL, which must end in /v1';

const REDIRECT = 'The service answered with a redirect, which is not followed';

/**
 * Any program may answer 200. Only the service answers with an account (docs/service.md section 2).
 */
const missing = (key: string): IAuthenticateRuleResponseSuccessBody => ({
	type: 'responseSuccessBody',
	properties: { key, value: undefined, message: NO_SERVICE },
});

/** Base URL and secret key of one workspace and mode (docs/service.md section 5). */
export class ESignApi implements ICredentialType {
	name = 'eSignApi';

	displayName = 'eSign API';

	documentationUrl = 'https://github.com/n8n-nodes-esign/n8n-nodes-esign#credentials';

	icon: Icon = {
		light: 'file:../nodes/ESign/esign.svg',
		dark: 'file:../nodes/ESign/esign.dark.svg',
	};

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com/v1',
			description:
				'Address of the service, ending in /v1. It must be https, except for a sandbox on this machine.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'e.g. sk_test_...',
			description:
				'Secret key from the workspace settings (Developer, API keys). A key that starts with sk_test_ creates watermarked documents that are never billed; sk_live_ sends real ones.',
		},
	];

	/**
	 * Every request carries the key as a bearer token (docs/service.md section 5), unless the
	 * credential is one that the nodes refuse: this runs before anything is sent, also for the test.
	 * A function and no expression: n8n 2 evaluates expressions in an engine that is gone once an
	 * activation has ended, and the trigger still catches up on missed events then.
	 */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const { apiKey } = readCredential(credentials, (message, remedy) => {
			throw new UserError(`${message}. ${remedy}`);
		});
		return {
			...requestOptions,
			headers: { ...requestOptions.headers, Authorization: `Bearer ${apiKey}` },
		};
	};

	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ String($credentials.baseUrl ?? "").trim().replace(/\\/+$/, "") }}',
			url: '/account',
			// The nodes follow no redirect either: it would take the key to an address that nobody has
			// checked.
			disableFollowRedirect: true,
		},
		// The statuses of docs/service.md section 5; n8n shows the bare reason phrase of any other.
		rules: [
			refusal(401, 'The service does not accept the API key: it is mistyped, revoked or expired'),
			refusal(
				402,
				'The plan of this workspace does not include the API, or a live key is used during a trial',
			),
			refusal(
				403,
				'The key lacks the scope account:read, the workspace is suspended, or its IP allowlist refuses this n8n',
			),
			refusal(404, NO_SERVICE),
			...[301, 302, 303, 307, 308].map((status) => refusal(status, REDIRECT)),
			refusal(429, 'The API key has used up its requests for now. Try again in a minute.'),
			...['organization.id', 'plan.code', 'mode'].map(missing),
			// n8n goes through rules of both kinds, although the type of the list allows for one kind
			// only.
		] as ICredentialTestRequest['rules'],
	};
}
