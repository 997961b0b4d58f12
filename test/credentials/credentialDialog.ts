import { ESignApi } from '../../credentials/ESignApi.credentials';
import type { ESignCredential } from '../support/n8nCore/credentials';
import { N8n } from '../support/n8nCore/n8n';
import { PROBE } from '../client/support/inNode';

const TYPE = 'n8n-nodes-esign.dialog';

/**
 * What the credential dialog says. n8n sends the test request of a credential through a node that
 * declares it (n8n-core's RoutingNode), then holds the rules of the test against the outcome.
 */
export async function testInDialog(data: Partial<ESignCredential>): Promise<string> {
	const { request, rules = [] } = new ESignApi().test;
	const properties = [
		{
			displayName: 'Test',
			name: 'test',
			type: 'string' as const,
			default: '',
			routing: { request },
		},
	];
	const type = { description: { ...PROBE, properties } };
	const { items, error } = await new N8n({ [TYPE]: type }, data as ESignCredential).runNode(TYPE, {
		parameters: {},
	});
	const broken = rules.find(({ type: kind, properties }) =>
		kind === 'responseCode'
			? String(properties.value) === error?.httpCode
			: !error && at(items[0]?.json, properties.key) === properties.value,
	);
	return broken?.properties.message ?? error?.message ?? 'OK';
}

/** The value at a path such as `organization.id`. */
function at(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce((holder, name) => (Object(holder) as Record<string, unknown>)[name], value);
}
