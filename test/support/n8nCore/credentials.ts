import {
	ICredentialsHelper,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type IHttpRequestOptions,
	type INodeProperties,
	type IRequestOptionsSimplified,
} from 'n8n-workflow';
import { ESignApi } from '../../../credentials/ESignApi.credentials';

/** What a user enters in the credential dialog. */
export interface ESignCredential {
	baseUrl: string;
	apiKey: string;
}

/**
 * n8n's credential store with one entry; authenticates requests with the credential's own function.
 */
export class TestCredentials extends ICredentialsHelper {
	private credential: ESignCredential = { baseUrl: '', apiKey: '' };

	private readonly type = new ESignApi();

	/** Each service has its own: what nodes remember by it is not that of another test file. */
	get id(): string {
		return this.credential.baseUrl;
	}

	/** Every node of the tests uses this credential from now on. */
	use(credential: ESignCredential): void {
		this.credential = { ...credential };
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		return await this.type.authenticate(credentials, requestOptions as IHttpRequestOptions);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Tests hold decrypted credentials only');
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return { ...this.credential };
	}

	async updateCredentials(): Promise<void> {
		throw new Error('eSign API credentials never change by themselves');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('eSign API credentials are no OAuth credentials');
	}

	getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}
}
