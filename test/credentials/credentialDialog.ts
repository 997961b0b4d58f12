import { ExecuteContext, RoutingNode } from 'n8n-core';
import type { NodeApiError } from 'n8n-workflow';
import {
	createEmptyRunExecutionData,
	Workflow,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { ESignApi } from '../../credentials/ESignApi.credentials';
import { TestCredentials, type ESignCredential } from '../../harness/n8nCore/credentials';

const NODE: INode = {
	id: '1',
	name: 'Test',
	type: 'test',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { eSignApi: { id: '1', name: 'eSign' } },
};

/**
 * What the credential dialog says. n8n sends the test request of a credential through the node that carries out declared
 * requests (n8n-core's RoutingNode), then holds the rules of the test against the outcome.
 */
export async function testInDialog(data: Partial<ESignCredential>): Promise<string> {
	const credential = new ESignApi();
	const { request, rules = [] } = credential.test;
	const properties = [
		{ displayName: 'Test', name: 'test', type: 'string' as const, default: '', routing: { request } },
	];
	const type: INodeType = {
		description: {
			displayName: 'Test',
			name: 'test',
			group: ['input'],
			version: 1,
			description: '',
			defaults: {},
			inputs: [],
			outputs: [],
			credentials: [{ name: 'eSignApi', required: true }],
			properties,
		},
	};
	const find = () => type;
	const nodeTypes = { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ nodes: [NODE], connections: {}, active: false, nodeTypes });
	const credentialsHelper = new TestCredentials();
	credentialsHelper.use(data as ESignCredential);
	const additionalData = { credentialsHelper, variables: {} } as unknown as IWorkflowExecuteAdditionalData;
	const items = { main: [[{ json: {} }]] };
	const context = new ExecuteContext(
		workflow,
		NODE,
		additionalData,
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		items,
		{ node: NODE, data: {}, source: null },
		[],
	);
	const decrypted = { id: '1', name: 'eSign', type: 'eSignApi', data: data as ICredentialDataDecryptedObject };
	try {
		const [[item] = []] = (await new RoutingNode(context, type, decrypted).runNode()) ?? [];
		for (const rule of rules) {
			if (rule.type !== 'responseSuccessBody') continue;
			const { key, value, message } = rule.properties;
			if (at(item?.json, key) === value) return message;
		}
		return 'OK';
	} catch (error) {
		const failure = error as NodeApiError;
		const status = (failure.cause as { response?: { status?: number } } | undefined)?.response?.status;
		const rule = rules.find(({ type, properties: { value } }) => type === 'responseCode' && value === status);
		return rule?.properties.message ?? failure.message;
	}
}

/** The value at a path such as `organization.id`. */
function at(value: unknown, path: string): unknown {
	return path.split('.').reduce((holder, name) => (Object(holder) as Record<string, unknown>)[name], value);
}
