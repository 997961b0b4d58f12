import { until } from '../../support/processes/until';
import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import type { Editor } from './support/editor';
import { everyRunSucceeded, saved, setEditorStage, type EditorStage } from './support/editorStage';

let stage: EditorStage;
let editor: Editor;

beforeAll(async () => {
	stage = await setEditorStage();
	({ editor } = stage);
}, STAGE_TIMEOUT_MS);
afterAll(async () => await stage?.close(), 60_000);

describe('A first workflow', () => {
	it.each(['sign', 'contract', 'e-signature'])(
		'the node panel finds eSign by the word %s',
		async (word) => {
			await editor.newWorkflow();
			const icon = (await editor.search(word)).locator('img').first();
			await icon.waitFor();
			const width = await icon.evaluate(
				(image) => (image as unknown as { naturalWidth: number }).naturalWidth,
			);
			expect(width).toBeGreaterThan(0);
		},
	);

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
		await dialog
			.getByText('The service does not accept the API key: it is mistyped, revoked or expired')
			.waitFor();

		// n8n closes the dialog by itself once the test has succeeded, and tests again when it is
		// opened.
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

describe('A template, sent to the people of its two roles with two values', () => {
	const MAX_CLICKS = 16;
	let trigger: string;

	it('first a trigger is published, and registers its webhook', async () => {
		await editor.newWorkflow();
		await editor.add('sign', 'On document completed');
		await editor.picture('trigger');
		await editor.closeNode();
		expect(await editor.publish()).toContain('registered its own webhook');
		expect(await stage.service.endpoints()).toMatchObject([
			{ events: ['document.completed'], status: 'ACTIVE' },
		]);
		trigger = editor.page.url();
	});

	it(`goes out from the first run on, in ${MAX_CLICKS} clicks at most`, async () => {
		const { parameters } = editor;
		await editor.newWorkflow();
		editor.clicks = 0;

		await editor.add('e-signature', 'Send document from template by email (billed)');
		const templates = await editor.searchList('templateId', '');
		await until('both templates', async () => (await templates.count()) === 2 || undefined);
		await editor.searchList('templateId', 'offer');
		await until('one template', async () => (await templates.count()) === 1 || undefined);
		await templates.filter({ hasText: 'Offer Letter' }).click();
		const people = {
			'Candidate name': 'Ada Arden',
			'Candidate email': 'ada@arden.example',
			'HR name': 'Harry Ross',
		};
		const values = { 'HR email': 'hr@pumps.example', position: 'Pump engineer', salary: '64000' };
		for (const [label, text] of Object.entries({ ...people, ...values }))
			await editor.type(label, text);
		const fields = parameters.getByTestId('mapping-fields-container').last();
		await fields.getByText(/^position \(Candidate, text/).waitFor();
		expect(await fields.getByText(/signature/).count()).toBe(0);
		// Not of the job: somebody has to sign.
		await parameters.getByTestId('parameter-input-embed').locator('.el-switch').click();
		editor.clicks--;
		await saved(stage, '64000');
		await editor.node.getByTestId('node-execute-button').click();

		await editor.node.getByTestId('output-panel').getByText('1 item').waitFor();
		expect((await stage.service.documents())[0]).toMatchObject({
			title: 'Offer Letter',
			status: 'in_progress',
			recipients: [
				{ role: 'Candidate', name: 'Ada Arden', email: 'ada@arden.example' },
				{ role: 'HR', name: 'Harry Ross', email: 'hr@pumps.example' },
			],
		});
		await everyRunSucceeded(stage);
		expect(editor.clicks).toBeGreaterThan(8);
		expect(editor.clicks).toBeLessThanOrEqual(MAX_CLICKS);
	});

	it('is signed in the browser with its values, which starts the workflow of the trigger', async () => {
		const output = editor.node.getByTestId('output-panel');
		await output.getByTestId('radio-button-json').click();
		const [sent] = await stage.n8n.api.finishedExecutions(editor.workflowId, 1);
		const [item] = itemsOf(sent, 'Send document from template by email (billed)');
		const [link] = (item?.json.embed_links ?? []) as Array<{ url: string }>;
		await output.getByText(String(link?.url)).first().waitFor();
		await editor.picture('sent-document');
		await editor.closeNode();
		const signer = await (await stage.browser.newContext()).newPage();
		await signer.goto(String(link?.url));
		for (const value of ['Pump engineer', /64.?000/])
			expect(await signer.getByText(value).count()).toBeGreaterThan(0);
		await signer.getByRole('button', { name: 'Sign', exact: true }).click();
		// The only signer: what is shown is the end of the document.
		await signer.getByText('Everyone has signed').waitFor();
		await signer.context().close();
		expect(await stage.service.document(String(item?.json.id))).toMatchObject({
			status: 'completed',
		});

		await editor.page.goto(trigger);
		await editor.page.getByTestId('radio-button-executions').click();
		const succeeded = editor.page.getByTestId('current-executions-list').getByText(/^Succe/);
		await succeeded.first().waitFor();
		await editor.page.getByTestId('execution-preview-label').waitFor();
		const [execution] = await stage.n8n.api.finishedExecutions(editor.workflowId, 1);
		expect(itemsOf(execution, 'eSign Trigger')).toMatchObject([
			{ json: { event: 'document.completed', document: { id: item?.json.id } } },
		]);
		await editor.picture('trigger-execution');
	});

	it('unpublishing the workflow of the trigger deletes its webhook', async () => {
		const { page } = editor;
		await page.getByTestId('radio-button-workflow').click();
		const published = page.getByTestId('workflow-open-publish-modal-button');
		await published.locator('xpath=../..').getByRole('button').last().click();
		await page.getByRole('menuitem', { name: 'Unpublish' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click();
		await until(
			'the webhook to be gone',
			async () => (await stage.service.endpoints()).length === 0 || undefined,
		);
	});
});
