import { createHash, createHmac } from 'crypto';
import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { readCredential } from '../service/credential';

export const CREDENTIAL_TYPE = 'eSignApi';

export type Service = {
	/** Ends in `/v1`, without a trailing slash. */
	baseUrl: string;
	/**
	 * Stands for base URL and API key, and gives neither away: what the key's state in this process
	 * is filed under.
	 */
	keyId: string;
	/**
	 * Base URL and mode, which all keys of a workspace have in common that see the same objects
	 * (docs/service.md section 5).
	 */
	workspaceMode: string;
	/** Of the test mode, in which nothing reaches anybody. */
	isTest: boolean;
	/**
	 * A secret that every node with this API key can work out, in whatever process, and nobody else.
	 */
	sharedSecret: string;
};

/** @throws NodeOperationError if the base URL or the key cannot be used */
export async function readService(
	context: Pick<IExecuteFunctions, 'getCredentials' | 'getNode'>,
): Promise<Service> {
	const given = await context.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const { baseUrl, apiKey } = readCredential(given, (message, description) => {
		throw new NodeOperationError(context.getNode(), message, { description });
	});
	const mode = /^sk_(live|test)_/.exec(apiKey)?.[1] ?? '';
	return {
		baseUrl,
		keyId: createHash('sha256').update(`${baseUrl}\n${apiKey}`).digest('hex'),
		workspaceMode: `${baseUrl} ${mode}`,
		isTest: mode === 'test',
		sharedSecret: createHmac('sha256', apiKey)
			.update('n8n-nodes-esign shared secret')
			.digest('hex'),
	};
}
