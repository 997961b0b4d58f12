import { stat } from 'node:fs/promises';
import { until } from '../../../harness/processes/until';
import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import type { Editor } from './support/editor';
import { setEditorStage, type EditorStage } from './support/editorStage';
import { operations } from './support/operations';

let stage: EditorStage;
let editor: Editor;

beforeAll(async () => {
	stage = await setEditorStage();
	({ editor } = stage);
}, STAGE_TIMEOUT_MS);
afterAll(async () => await stage?.close(), 60_000);

/** Everything asked for must come to be true; the browser draws when it can. */
async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
	await until(what, async () => ((await holds()) ? true : undefined), 40_000);
}

describe('A first workflow', () => {
	it.each(['sign', 'contract', 'e-signature'])('the node panel finds eSign by the word %s', async (word) => {
		await editor.newWorkflow();
		const entry = await editor.search(word);
		await entry.waitFor();
		expect(
			await entry
				.locator('img')
				.first()
				.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
		).toBeGreaterThan(0);
	});

	it('the credential dialog says why a key is refused, and accepts a good one', async () => {
		await editor.newWorkflow();
		await editor.add('e-signature', 'On document completed');
		await editor.page.getByTestId('node-credentials-select').click();
		await editor.page.getByTestId('node-credentials-select-item-new').click();
		const dialog = editor.credentialDialog;
		await editor.write('baseUrl', stage.sandbox.url, dialog);
		await editor.write('apiKey', 'sk_test_unknown', dialog);
		await dialog.getByTestId('credential-save-button').click();
		await dialog.getByText('More details').click();
		await dialog.getByText('The service does not accept the API key: it is mistyped, revoked or expired').waitFor();

		// n8n closes the dialog by itself once the test has succeeded, and tests again when it is opened.
		await editor.write('apiKey', stage.sandbox.keys.test, dialog);
		await dialog.getByTestId('credential-save-button').click();
		await dialog.waitFor({ state: 'hidden' });
		await editor.page.getByTestId('credential-edit-button').click();
		await dialog.getByText('Connection tested successfully').waitFor();
		await dialog.getByRole('button', { name: 'Close this dialog' }).click();
		await dialog.waitFor({ state: 'hidden' });
		await editor.closeNode();
	});
});

describe('The form of the action node', () => {
	beforeAll(async () => {
		await editor.newWorkflow();
		await editor.add('contract', 'Get account');
	});
	afterAll(async () => await editor.closeNode());

	it.each(operations)(
		'shows $resource > $operation with its parameters',
		async ({ resource, operation, description }) => {
			await editor.pick('resource', resource);
			await editor.pick('operation', operation);
			// n8n gives a resource mapper and a notice labels of their own.
			const labels = description
				.filter(({ type, displayOptions }) => !displayOptions && !['notice', 'resourceMapper'].includes(type))
				.map(({ displayName }) => displayName);
			for (const label of ['Resource', 'Operation', ...labels]) {
				await editor.parameters.getByTestId('input-label').getByText(label, { exact: true }).first().waitFor();
			}
			expect(
				await editor.parameters
					.getByText(/error|could not|can.t get|problem/i)
					.filter({ visible: true })
					.allInnerTexts(),
			).toEqual([]);
			expect(await editor.page.getByTestId('error-toast').count()).toBe(0);
		},
	);
});

describe('The main job, by clicking alone', () => {
	it('a trigger is published, and registers its webhook', async () => {
		await editor.newWorkflow();
		await editor.add('sign', 'On document completed');
		for (const path of await editor.picture('trigger')) expect((await stat(path)).size).toBeGreaterThan(10_000);
		await editor.closeNode();
		expect(await editor.publish()).toContain('registered its own webhook');
		const endpoints = await stage.service.endpoints();
		expect(endpoints.map(({ events, status }) => ({ events, status }))).toEqual([
			{ events: ['document.completed'], status: 'ACTIVE' },
		]);
	});

	it('the template is found in a list, its roles and fields fill the form, and the document goes out', async () => {
		const triggerAddress = editor.page.url();
		const workflowId = String(/\/workflow\/([^/?]+)/.exec(triggerAddress)?.[1]);
		await editor.newWorkflow();
		await editor.add('e-signature', 'Send document from template by email (billed)');

		const templates = await editor.searchList('templateId', '');
		await eventually('both templates', async () => (await templates.count()) === 2);
		await editor.searchList('templateId', 'offer');
		await eventually('one template', async () => (await templates.count()) === 1);
		await templates.filter({ hasText: 'Offer Letter' }).click();

		await editor.write('Candidate name', 'Ada Arden');
		await editor.write('Candidate email', 'ada@arden.example');
		await editor.write('HR name', 'Harry Ross');
		await editor.write('HR email', 'hr@pumps.example');

		const mapper = editor.parameters.getByTestId('mapping-fields-container').last();
		await mapper.getByText('position (text)').waitFor();
		expect(await mapper.getByText(/signature/).count()).toBe(0);
		await editor.write('position', 'Pump engineer', mapper);
		await editor.write('salary', '64000', mapper);
		await editor.parameters.getByTestId('parameter-input-embed').locator('.el-switch').click();
		await editor.page.getByTestId('resource-locator-templateId').scrollIntoViewIfNeeded();
		for (const path of await editor.picture('send-template')) expect((await stat(path)).size).toBeGreaterThan(10_000);

		await editor.node.getByTestId('node-execute-button').click();
		const output = editor.node.getByTestId('output-panel');
		await output.getByText('1 item').waitFor();
		const [document] = await stage.service.documents();
		expect(document).toMatchObject({ title: 'Offer Letter', status: 'in_progress' });
		expect(document?.recipients).toMatchObject([
			{ role: 'Candidate', name: 'Ada Arden', email: 'ada@arden.example' },
			{ role: 'HR', name: 'Harry Ross', email: 'hr@pumps.example' },
		]);

		await output.getByTestId('radio-button-json').click();
		const embedded = /http:\/\/127\.0\.0\.1:\d+\/embed\/[^"\s]+/;
		const link = await until('the embed link', async () => embedded.exec(await output.innerText())?.[0]);
		await editor.picture('sent-document');
		await editor.closeNode();

		const signer = await (await stage.browser.newContext()).newPage();
		await signer.goto(link);
		expect(await signer.getByText('Pump engineer').count()).toBeGreaterThan(0);
		await signer.getByRole('button', { name: 'Sign', exact: true }).click();
		// The only signer: what is shown is the end of the document.
		await signer.getByText('Everyone has signed').waitFor();
		await signer.context().close();
		expect(await stage.service.document(String(document?.id))).toMatchObject({ status: 'completed' });

		await editor.page.goto(triggerAddress);
		await editor.page.getByTestId('radio-button-executions').click();
		await editor.page
			.getByTestId('current-executions-list')
			.getByText(/^Succe/)
			.first()
			.waitFor();
		await editor.page.getByTestId('execution-preview-label').waitFor();
		const [execution] = await stage.n8n.api.finishedExecutions(workflowId, 1);
		expect(itemsOf(execution, 'eSign Trigger')).toMatchObject([
			{ json: { event: 'document.completed', document: { id: document?.id } } },
		]);
		await editor.picture('trigger-execution');
	});
});
