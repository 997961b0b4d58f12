import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { sentSince } from './support/observations';
import { startScriptedModel, type ScriptedModel } from './support/scriptedModel';
import { Workshop } from './support/workshop';

interface ToolAnswer {
	content: Array<{ type: string; text: string }>;
	isError?: boolean;
}

describe('AI applications that send contracts', () => {
	let workshop: Workshop;
	let model: ScriptedModel | undefined;

	beforeAll(async () => {
		workshop = await Workshop.open();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await model?.close();
		await workshop?.close();
	});

	describe("an MCP client, through n8n's MCP Server Trigger", () => {
		let client: Client;
		let id: string;

		beforeAll(async () => {
			id = await workshop.publish('mcp-server-sends-contracts');
			client = new Client({ name: 'test', version: '1.0.0' });
			await client.connect(new StreamableHTTPClientTransport(new URL(`${workshop.n8n.url}/mcp/esign-contracts`)));
		});
		afterAll(async () => {
			await client.close();
			await workshop.n8n.api.unpublish(id);
		});

		/** Calls a tool and returns what it answers, read as JSON. */
		async function use<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
			const { content, isError } = (await client.callTool({ name, arguments: args })) as ToolAnswer;
			if (isError) throw new Error(JSON.stringify(content));
			return JSON.parse(String(content[0]?.text)) as T;
		}

		it('is offered the four tools, each with a description and a schema of what it takes', async () => {
			const { tools } = await client.listTools();
			const offered = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]);
			expect(Object.fromEntries(offered)).toEqual({
				List_templates: [],
				Read_a_template: ['template_id'],
				Send_a_document: ['template_id', 'recipients', 'title'],
				Look_up_a_document: ['document_id'],
			});
			for (const { description } of tools) expect(description).toMatch(/^[A-Z].+\./);
		});

		it('finds a template, sends a document from it to the right people, exactly once, and looks it up', async () => {
			const found = await use<Array<{ id: string; name: string }>>('List_templates');
			const nda = found.find(({ name }) => name === 'Mutual NDA');
			const [template] = await use<Array<{ roles: Array<{ role: string }> }>>('Read_a_template', {
				template_id: nda?.id,
			});
			expect(template?.roles.map(({ role }) => role)).toEqual(['Client', 'Company']);
			const recipients = [
				{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' },
				{ role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' },
			];

			const sent = await sentSince(workshop.service, async () => {
				await use('Send_a_document', { template_id: nda?.id, recipients, title: 'NDA by MCP' });
			});

			expect(sent).toMatchObject([{ title: 'NDA by MCP', status: 'in_progress', recipients }]);
			const [seen] = await use<Array<{ id: string; status: string }>>('Look_up_a_document', {
				document_id: sent[0]?.id,
			});
			expect(seen).toMatchObject({ id: sent[0]?.id, status: 'in_progress' });
		});

		it('is told what is wrong with a recipient, and nothing goes out', async () => {
			const [nda] = await use<Array<{ id: string }>>('List_templates');
			const recipients = [{ role: 'Client', name: 'Ada Lovelace', email: 'no address' }];
			let answer: ToolAnswer | undefined;
			const sent = await sentSince(workshop.service, async () => {
				const args = { template_id: nda?.id, recipients, title: 'To nobody' };
				answer = (await client.callTool({ name: 'Send_a_document', arguments: args })) as ToolAnswer;
			});
			expect(sent).toEqual([]);
			expect(JSON.stringify(answer?.content)).toContain('e-mail address');
		});
	});

	it('an agent in a chat sends the NDA that its model asks for, with the values it gives', async () => {
		model = await startScriptedModel({
			tool: 'Send_the_NDA',
			arguments: {
				client_name: 'Ada Lovelace',
				client_email: 'ada@example.com',
				client_company: 'Analytical Engines Ltd',
				term_months: 24,
				effective_date: '2027-01-01',
				governing_law: 'Delaware',
			},
		});
		const openAi = { name: 'Model', type: 'openAiApi', data: { apiKey: 'none', url: model.url } };
		await workshop.n8n.api.createCredential(openAi);
		const id = await workshop.publish('ai-agent-sends-contracts', ({ nodes }) => {
			for (const node of nodes) {
				// The chat of the example is for people signed in to n8n; here nobody is.
				if (node.type.endsWith('.chatTrigger')) node.parameters.authentication = 'none';
			}
		});
		const { nodes } = await workshop.n8n.api.request<{ nodes: Array<{ type: string; webhookId?: string }> }>(
			'GET',
			`/workflows/${id}`,
		);
		const chat = nodes.find(({ type }) => type.endsWith('.chatTrigger'))?.webhookId;

		const sent = await sentSince(workshop.service, async () => {
			const response = await fetch(`${workshop.n8n.url}/webhook/${chat}/chat`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ action: 'sendMessage', sessionId: 'one', chatInput: 'Send Ada Lovelace an NDA' }),
			});
			expect(await response.text()).toContain('doc_');
		});

		expect(sent).toMatchObject([
			{
				title: 'Mutual NDA',
				status: 'in_progress',
				recipients: [
					{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' },
					{ role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' },
				],
			},
		]);
		const offered = model.requests[0]?.tools?.map(({ function: { name } }) => name);
		expect(offered?.sort()).toEqual(['Look_up_a_document', 'Send_the_NDA']);
		const [execution] = await workshop.n8n.api.finishedExecutions(id, 1);
		expect(itemsOf(execution, 'Contracts agent')).toHaveLength(1);
	});
});
