import { connectMcp, type McpClient, type ToolAnswer } from '../../support/n8nServer/mcpClient';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { startScriptedModel, type ScriptedModel } from './support/scriptedModel';
import { ACCESS, CREDENTIALS, MODEL_CREDENTIAL, Workshop } from './support/workshop';

describe.each(CREDENTIALS)(
	'AI applications that send contracts, with %i credential(s)',
	(credentials) => {
		let workshop: Workshop;
		let model: ScriptedModel | undefined;

		beforeAll(async () => {
			workshop = await Workshop.open(credentials);
		}, STAGE_TIMEOUT_MS);
		afterAll(async () => {
			await model?.close();
			await workshop?.close();
		});

		describe("an MCP client, through n8n's MCP Server Trigger", () => {
			let client: McpClient;
			let id: string;

			beforeAll(async () => {
				id = await workshop.publish('mcp-server-sends-contracts');
				const url = new URL(await workshop.editor.productionUrl('MCP server'));
				const headers = { authorization: `Bearer ${ACCESS['Bearer Auth']?.data.token}` };
				client = await connectMcp(url, headers);
			});
			afterAll(async () => {
				await client?.close();
				await workshop.n8n.api.unpublish(id);
			});

			/** Calls a tool and returns what it answers, read as JSON. */
			async function use<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
				const { content, isError } = await client.callTool({ name, arguments: args });
				if (isError) throw new Error(JSON.stringify(content));
				return JSON.parse(String(content[0]?.text)) as T;
			}

			it('is offered the four tools, each with a description and a schema of what it takes', async () => {
				const { tools } = await client.listTools();
				const offered = tools.map(({ name, inputSchema }) => [
					name,
					Object.keys(inputSchema.properties ?? {}),
				]);
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

				const sent = await workshop.sentBy(async () => {
					await use('Send_a_document', { template_id: nda?.id, recipients, title: 'NDA by MCP' });
				});

				expect(sent).toMatchObject([{ title: 'NDA by MCP', status: 'in_progress', recipients }]);
				const [seen] = await use<Array<{ id: string; status: string }>>('Look_up_a_document', {
					document_id: sent[0]?.id,
				});
				expect(seen).toMatchObject({ id: sent[0]?.id, status: 'in_progress' });
			});

			it('gives up after a minute while an answer is lost, and calls again: one document', async () => {
				const [nda] = await use<Array<{ id: string }>>('List_templates');
				const recipients = [
					{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' },
					{ role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' },
				];
				const args = { template_id: nda?.id, recipients, title: 'NDA, called twice' };
				const lost = { method: 'POST', path: '/templates/*/send', when: 'after' } as const;
				await workshop.sandbox.control.fault({ ...lost, kind: 'drop', times: 1 });
				const sent = await workshop.sentBy(async () => {
					// The default of the client.
					await expect(use('Send_a_document', args)).rejects.toThrow('timed out');
					const [again] = await use<Array<{ status: string }>>('Send_a_document', args);
					expect(again).toMatchObject({ status: 'in_progress' });
				});
				expect(sent.map(({ title }) => title)).toEqual(['NDA, called twice']);
			});

			it('learns what is wrong with a recipient, and nothing goes out', async () => {
				const [nda] = await use<Array<{ id: string }>>('List_templates');
				const recipients = [{ role: 'Client', name: 'Ada Lovelace', email: 'no address' }];
				let answer: ToolAnswer | undefined;
				const sent = await workshop.sentBy(async () => {
					const args = { template_id: nda?.id, recipients, title: 'To nobody' };
					answer = await client.callTool({ name: 'Send_a_document', arguments: args });
				});
				expect(sent).toEqual([]);
				expect(JSON.stringify(answer?.content)).toContain('email address');
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
			const data = { apiKey: 'none', url: model.url };
			await workshop.n8n.api.createCredential({ name: MODEL_CREDENTIAL, type: 'openAiApi', data });
			const id = await workshop.import('ai-agent-sends-contracts');
			const sent = await workshop.sentBy(async () => {
				const { page } = workshop.editor;
				await page.getByTestId('workflow-chat-button').click();
				await page.getByTestId('chat-input').fill('Send Ada Lovelace an NDA');
				await page.keyboard.press('Enter');
				await page.getByTestId('canvas-chat-body').getByText(/doc_/).first().waitFor();
				// Published, it is there for people who are signed in to n8n. The same NDA goes out once in
				// six minutes.
				await workshop.publishOpened(id);
				const url = await workshop.editor.productionUrl('Chat');
				const data = {
					action: 'sendMessage',
					sessionId: 'one',
					chatInput: 'Send Ada Lovelace an NDA',
				};
				expect(await (await page.request.post(url, { data })).text()).toContain('doc_');
				expect((await fetch(url, { method: 'POST', body: JSON.stringify(data) })).status).toBe(401);
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
		});
	},
);
