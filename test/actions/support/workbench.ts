import type { IDataObject, INode, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox';
import { contract as contractBytes, ServiceClient } from '../../support/serviceClient';
import { binary, N8n, type NodeRun, type RunNodeOptions } from '../../support/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { ROLES } from '../../client/support/samples';
import { recordService, type Recorded } from './serviceRecord';

export const TYPE = 'n8n-nodes-esign.eSign';

/** Retry On Fail, without the pause. */
export const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/**
 * The action node in n8n-core, a sandbox without a rate limit unless one is given, and a record of
 * what passes between the two.
 */
export class Workbench {
	/** The service as somebody else uses it: nothing of that is in the record. */
	readonly direct: ServiceClient;

	private constructor(
		readonly sandbox: Sandbox,
		readonly proxy: Awaited<ReturnType<typeof recordService>>,
		readonly n8n: N8n,
	) {
		this.direct = new ServiceClient(sandbox.url, sandbox.keys.test);
	}

	static async open(options: SandboxOptions = { rateLimit: 0 }): Promise<Workbench> {
		const sandbox = await startSandbox(options);
		const proxy = await recordService(sandbox.url);
		const n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: proxy.url, apiKey: sandbox.keys.test });
		return new Workbench(sandbox, proxy, n8n);
	}

	/** Has the node use this key from now on. */
	useKey(apiKey = this.sandbox.keys.test): void {
		this.n8n.credentials.use({ baseUrl: this.proxy.url, apiKey });
	}

	/** Runs one operation; the parameters may hold expressions over the items. */
	async run(
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
		options: Omit<RunNodeOptions, 'parameters'> = {},
	): Promise<NodeRun> {
		return await this.n8n.runNode(TYPE, {
			...options,
			parameters: { resource, operation, ...parameters },
		});
	}

	/**
	 * As `run`, for what a test needs to exist: throws if the node fails, and leaves no trace in the
	 * record.
	 */
	async prepare(
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
	): Promise<IDataObject[]> {
		const items = [{ json: {}, binary: { data: await contract() } }];
		const { items: output, error } = await this.run(resource, operation, parameters, { items });
		if (error) throw error;
		this.takeRequests();
		return output.map(({ json }) => json);
	}

	/** The requests since the last call, without those that prepared something. */
	takeRequests(): Recorded[] {
		return this.proxy.take();
	}

	/**
	 * The context of a dropdown, a list search or a field mapper while the form shows an operation so
	 * filled.
	 */
	form(resource: string, operation: string, parameters: INodeParameters = {}) {
		return this.n8n.loadOptionsContext(TYPE, { resource, operation, ...parameters });
	}

	async close(): Promise<void> {
		await this.proxy.close();
		await this.sandbox.close();
	}
}

/** The contract as an upstream node would attach it. */
export async function contract(name = 'contract.pdf') {
	return await binary(contractBytes, name, 'application/pdf');
}

/** Items with the contract attached, one per JSON given. */
export async function withContract(...jsons: IDataObject[]): Promise<INodeExecutionData[]> {
	return await Promise.all(
		jsons.map(async (json) => ({ json, binary: { data: await contract() } })),
	);
}

/** A locator as a saved workflow holds it. */
export const byId = (value: unknown): INodeParameters => ({
	__rl: true,
	mode: 'id',
	value: String(value),
});

/** Somebody who takes a role of a template. */
export type RolePerson = { role: string; name: string; email: string; phone?: string };

/**
 * The persons of a template's roles as the form holds them, without what the editor stores of the
 * template.
 */
export function peopleOf(...persons: RolePerson[]): INodeParameters {
	const value = Object.fromEntries(
		persons.flatMap(({ role, ...person }) =>
			Object.entries(person).map(([part, text]) => [`${role} ${part}`, text]),
		),
	);
	return { people: { mappingMode: 'defineBelow', value, schema: [] } };
}

/** A draft with one signer and an automatic signature box, ready to be sent. */
export const DRAFT: INodeParameters = {
	recipients: { recipient: [{ name: 'Ada Lovelace', email: 'ada@example.com', type: 'signer' }] },
	fieldsInput: 'automatic',
};

/** Template > Send with this title, or with what the expression gives. */
export function templateSend(templateId: string, title: string): INodeParameters {
	return {
		resource: 'template',
		operation: 'send',
		templateId: byId(templateId),
		recipientsInput: 'json',
		recipientsJson: JSON.stringify(ROLES),
		additionalFields: { title },
	};
}

export const ADA = { name: 'Ada', email: 'ada@example.com' };

/**
 * Document > Create and Send with a field: a draft, its fields and the send are requests of their
 * own.
 */
export function createAndSend(
	title: string,
	recipient: object = ADA,
	more: INodeParameters = {},
): INodeParameters {
	return {
		resource: 'document',
		operation: 'createAndSend',
		recipientsInput: 'json',
		recipientsJson: JSON.stringify([recipient]),
		title,
		fieldsInput: 'automatic',
		automatic: { page: 'first' },
		...more,
	};
}
