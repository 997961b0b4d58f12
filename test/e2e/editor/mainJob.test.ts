import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../../harness/packing';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import type { Editor } from './support/editor';
import { setEditorStage, type EditorStage } from './support/editorStage';

const MOST_CLICKS = 18;

describe("The main job, as README describes it for a workflow of one's own", () => {
	let stage: EditorStage;
	let editor: Editor;

	beforeAll(async () => {
		stage = await setEditorStage();
		({ editor } = stage);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close(), 60_000);

	it(`a file goes out for signature from the first run on, in ${MOST_CLICKS} clicks at most`, async () => {
		const { page, parameters } = editor;
		const type = async (parameter: string, text: string) => {
			await parameters.getByTestId(`parameter-input-${parameter}`).locator('input').click();
			await page.keyboard.type(text);
		};
		await editor.newWorkflow();
		editor.clicks = 0;

		await page.getByTestId('canvas-add-button').click();
		await editor.panel.getByText('On form submission', { exact: true }).click();
		await type('formTitle', 'Contract');
		await parameters.getByRole('button', { name: 'Add Form Element' }).click();
		await type('fieldLabel', 'data');
		await editor.pick('fieldType', 'File');
		await editor.closeNode();

		await page.getByTestId('canvas-handle-plus').first().click();
		await editor.panel.locator('input').first().fill('send for signature');
		await editor.panel
			.getByTestId('item-iterator-item')
			.filter({ has: page.getByText('eSign', { exact: true }) })
			.click();
		await editor.panel.getByText('Create and send document (billed)', { exact: true }).click();
		await parameters.getByTestId('fixed-collection-recipients').getByTestId('fixed-collection-add').click();
		await type('name', 'Ada Arden');
		await type('email', 'ada@arden.example');
		await editor.picture('create-document');

		const opened = page.context().waitForEvent('page');
		await editor.node.getByTestId('node-execute-button').click();
		const form = await opened;
		const choosing = form.waitForEvent('filechooser');
		await form.locator('input[type=file]').click();
		const buffer = await readFile(join(projectRoot, 'test', 'fixtures', 'libreoffice.pdf'));
		await (await choosing).setFiles({ name: 'Service agreement.pdf', mimeType: 'application/pdf', buffer });
		await form.locator('#submit-btn').click();

		const output = editor.node.getByTestId('output-panel');
		await output.getByText('in_progress').first().waitFor();
		expect(await stage.service.documents()).toMatchObject([
			{ title: 'Service agreement', status: 'in_progress', recipients: [{ email: 'ada@arden.example' }] },
		]);
		const workflowId = String(/\/workflow\/([^/?]+)/.exec(page.url())?.[1]);
		const executions = await stage.n8n.api.executions(workflowId);
		expect(executions.map(({ status }) => status)).toEqual(['success']);
		expect(editor.clicks).toBeGreaterThan(10);
		expect(editor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
	});
});
