import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import type { Editor } from './support/editor';
import { setEditorStage, type EditorStage } from './support/editorStage';

const MOST_CLICKS = 16;

describe('A template, sent to the people of its two roles with two values', () => {
	let stage: EditorStage;
	let editor: Editor;

	beforeAll(async () => {
		stage = await setEditorStage();
		({ editor } = stage);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close(), 60_000);

	it(`goes out from the first run on, in ${MOST_CLICKS} clicks at most`, async () => {
		const { page, parameters } = editor;
		const type = async (parameter: string, text: string) => {
			await parameters.getByTestId(`parameter-input-${parameter}`).locator('input').click();
			await page.keyboard.type(text);
		};
		await editor.newWorkflow();
		editor.clicks = 0;

		await editor.add('e-signature', 'Send document from template by email (billed)');
		await (await editor.searchList('templateId', 'Mutual')).filter({ hasText: 'Mutual NDA' }).click();
		await type('Client name', 'Ada Lovelace');
		await type('Client email', 'ada@example.com');
		await type('Company name', 'Grace Hopper');
		await type('Company email', 'grace@example.com');
		await type('client_company', 'Analytical Engines Ltd');
		await type('term_months', '24');
		await editor.node.getByTestId('node-execute-button').click();

		await editor.node.getByTestId('output-panel').getByText('1 item').waitFor();
		expect(await stage.service.documents()).toMatchObject([
			{
				title: 'Mutual NDA',
				status: 'in_progress',
				recipients: [
					{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' },
					{ role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' },
				],
			},
		]);
		const workflowId = String(/\/workflow\/([^/?]+)/.exec(page.url())?.[1]);
		const executions = await stage.n8n.api.finishedExecutions(workflowId, 1);
		expect(executions.map(({ status }) => status)).toEqual(['success']);
		const [run] = executions;
		expect(itemsOf(run, 'Send document from template by email (billed)')).toHaveLength(1);
		const { nodes } = await stage.n8n.api.request<{ nodes: Array<{ parameters: { fieldValues?: object } }> }>(
			'GET',
			`/workflows/${workflowId}`,
		);
		const values = { client_company: 'Analytical Engines Ltd', term_months: 24 };
		expect(nodes.flatMap(({ parameters: { fieldValues } }) => fieldValues ?? [])).toMatchObject([{ value: values }]);
		expect(editor.clicks).toBeGreaterThan(8);
		expect(editor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
	});
});
