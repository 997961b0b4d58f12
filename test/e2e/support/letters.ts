import type { INode, INodeParameters } from 'n8n-workflow';
import { until } from '../../../harness/processes/until';
import type { RunningN8n } from '../../../harness/n8nServer/server';
import type { WorkflowFile } from '../../../harness/n8nServer/apiClient';
import type { ServiceClient } from '../../../harness/serviceClient';
import type { Sandbox } from '../../../sandbox';
import { chain, eSign, node } from './nodes';

type Site = { n8n: RunningN8n; service: ServiceClient; sandbox: Sandbox; credentialId: string };

export const peopleOf = (count: number) =>
	Array.from({ length: count }, (_, n) => ({ name: `P${n}`, email: `p${n}@people.example` }));

/** Letters to be signed by one person each: a webhook is given the people, and a template is sent to each of them. */
export class Letters {
	private constructor(
		private readonly site: Site,
		readonly template: string,
	) {}

	static async of(site: Site): Promise<Letters> {
		return new Letters(site, await Letters.template(site, 'Letter'));
	}

	/** A published template of one signer. @returns its ID */
	static async template({ sandbox }: Pick<Site, 'sandbox'>, name: string): Promise<string> {
		const roles = [{ role: 'Signer', type: 'SIGNER' as const }];
		const fields = [{ field_key: null, type: 'SIGNATURE' as const, role: 'Signer', required: true, page: 1 }];
		return (await sandbox.control.createTemplate({ mode: 'TEST', status: 'PUBLISHED', name, roles, fields })).id;
	}

	/** The node that sends to each person, with a title that ends with the name. */
	send(
		name: string,
		title: string,
		{
			fields = {},
			template = this.template,
			...settings
		}: { fields?: INodeParameters; template?: string } & Partial<INode> = {},
	): INode {
		const parameters = {
			resource: 'template',
			operation: 'send',
			templateId: { __rl: true, mode: 'id', value: template },
			recipientsInput: 'json',
			recipientsJson: '={{ [{ role: "Signer", name: $json.name, email: $json.email }] }}',
			additionalFields: { title: `=${title} {{ $json.name }}`, ...fields },
		};
		return eSign(name, 'eSign', this.site.credentialId, parameters, settings);
	}

	/** Publishes a workflow that gets its rows by a webhook; each node leads to the next, unless its connections are given. */
	async publish(path: string, nodes: INode[], connections: WorkflowFile['connections'] = {}): Promise<string> {
		const webhook = node('Webhook', 'n8n-nodes-base.webhook', { path, httpMethod: 'POST' }, { typeVersion: 2 });
		const rows = node('Rows', 'n8n-nodes-base.splitOut', { fieldToSplitOut: 'body.people', options: {} });
		const workflow = chain(path, [{ ...webhook, webhookId: path }, rows, ...nodes]);
		Object.assign(workflow.connections, connections);
		const { id } = await this.site.n8n.api.createWorkflow(workflow);
		await this.site.n8n.api.publish(id);
		return id;
	}

	async start(path: string, people: object[]): Promise<void> {
		const headers = { 'content-type': 'application/json' };
		// An n8n that has just started answers before its webhooks are there.
		await until('the webhook', async () => {
			const request = { method: 'POST', headers, body: JSON.stringify({ people }) };
			return (await fetch(`${this.site.n8n.url}/webhook/${path}`, request)).ok || undefined;
		});
	}

	/** Of all that is out, in order. */
	async titles(prefix: string): Promise<string[]> {
		const all = (await this.site.service.documents()).filter(({ status }) => status !== 'draft');
		return all.flatMap(({ title }) => (title.startsWith(prefix) ? [title] : [])).sort();
	}

	/** One letter to each. */
	wanted(title: string, count: number): string[] {
		return peopleOf(count)
			.map(({ name }) => `${title} ${name}`)
			.sort();
	}
}
