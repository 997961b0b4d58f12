import { contract } from '../../../harness/serviceClient';
import { until } from '../../../harness/processes/until';
import { PlaceFieldsPage } from '../placeFields/support/placeFieldsPage';
import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import type { Editor } from './support/editor';
import { setEditorStage, type EditorStage } from './support/editorStage';

let stage: EditorStage;
let editor: Editor;

beforeAll(async () => {
	stage = await setEditorStage();
	({ editor } = stage);
}, STAGE_TIMEOUT_MS);
afterAll(async () => await stage?.close(), 60_000);

/** Nothing that was tried in the workflow that is open has failed. */
async function everyRunSucceeded(count = 1): Promise<void> {
	const executions = await stage.n8n.api.finishedExecutions(editor.workflowId, count);
	expect(executions.map(({ status }) => status)).toEqual(Array(count).fill('success'));
}

/** n8n takes over what was typed a moment later, and runs what it has saved: sooner than a person presses the button. */
async function saved(text: string): Promise<void> {
	await until(`"${text}" to be saved`, async () => {
		const workflow = await stage.n8n.api.request('GET', `/workflows/${editor.workflowId}`);
		return JSON.stringify(workflow).includes(text) || undefined;
	});
}

describe('A first workflow', () => {
	it.each(['sign', 'contract', 'e-signature'])('the node panel finds eSign by the word %s', async (word) => {
		await editor.newWorkflow();
		const icon = (await editor.search(word)).locator('img').first();
		await icon.waitFor();
		const width = await icon.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
		expect(width).toBeGreaterThan(0);
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

describe("A file goes out for signature, as README describes it for a workflow of one's own", () => {
	const MOST_CLICKS = 18;

	/** Fills in the form that a run opens, and waits until the document is out. */
	async function fillIn(run: () => Promise<void>, title: string, submit: (form: Editor['page']) => Promise<void>) {
		const opened = editor.page.context().waitForEvent('page');
		await run();
		const form = await opened;
		const choosing = form.waitForEvent('filechooser');
		await submit(form);
		await (await choosing).setFiles({ name: `${title}.pdf`, mimeType: 'application/pdf', buffer: contract });
		return form;
	}

	async function isOut(title: string): Promise<void> {
		await editor.node.getByTestId('output-panel').getByText('in_progress').first().waitFor();
		const recipients = [{ email: 'ada@arden.example' }];
		expect((await stage.service.documents())[0]).toMatchObject({ title, status: 'in_progress', recipients });
	}

	it(`from the first run on, in ${MOST_CLICKS} clicks at most`, async () => {
		const { page, parameters } = editor;
		await editor.newWorkflow();
		editor.clicks = 0;

		await page.getByTestId('canvas-add-button').click();
		await editor.panel.getByText('On form submission', { exact: true }).click();
		await editor.type('formTitle', 'Contract');
		await parameters.getByRole('button', { name: 'Add Form Element' }).click();
		await editor.type('fieldLabel', 'data');
		await editor.pick('fieldType', 'File');
		await editor.closeNode();

		await page.getByTestId('canvas-handle-plus').first().click();
		await editor.panel.waitFor();
		await (await editor.search('send for signature')).click();
		await editor.panel.getByText('Create and send document (billed)', { exact: true }).click();
		await parameters.getByTestId('fixed-collection-recipients').getByTestId('fixed-collection-add').click();
		await editor.type('name', 'Ada Arden');
		await editor.type('email', 'ada@arden.example');
		await saved('ada@arden.example');
		const run = async () => await editor.node.getByTestId('node-execute-button').click();
		const form = await fillIn(run, 'By clicks', async (page) => await page.locator('input[type=file]').click());
		await form.locator('#submit-btn').click();

		await isOut('By clicks');
		await everyRunSucceeded();
		expect(editor.clicks).toBeGreaterThan(10);
		expect(editor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
	});

	it('with the fields that were drawn in docs/place-fields, whose JSON is pasted into the node', async () => {
		const place = await PlaceFieldsPage.open(stage.browser);
		await place.openPdf(contract);
		await place.page.getByLabel('Email of recipient 1').fill('ada@arden.example');
		await place.draw(1, [0.1, 0.7, 0.4, 0.8]);
		const json = await place.json();
		await place.close();

		await editor.type('title', 'Drawn');
		await editor.pick('fieldsInput', 'Using JSON');
		await editor.parameters.getByTestId('parameter-input-fieldsJson').locator('.cm-content').click();
		await editor.page.keyboard.press('Control+A');
		await editor.page.keyboard.insertText(json);
		// The file of the first run is still there.
		await editor.node.getByTestId('node-execute-button').click();

		await until('the second document', async () => (await stage.service.documents())[1]);
		await isOut('Drawn');
		await everyRunSucceeded(2);
		const [, drawn] = await stage.n8n.api.finishedExecutions(editor.workflowId, 2);
		const fields = [{ type: 'SIGNATURE', page: 1 }];
		expect(itemsOf(drawn, 'Create and send document (billed)')).toMatchObject([{ json: { fields } }]);
		await editor.closeNode();
	});

	it('by the keyboard alone', async () => {
		const { page, panel } = editor;
		const { keyboard } = page;
		/** Goes to an entry of the list with the arrow keys, and takes it. */
		const take = async (name: string) => {
			const entries = panel.locator('[data-test-id=item-iterator-item][class*=_active]');
			const active = entries.getByText(name, { exact: true });
			await panel.getByText(name, { exact: true }).waitFor();
			let presses = 0;
			await until(`the way to ${name}`, async () => {
				if (await active.isVisible()) return true;
				return void (await keyboard.press(presses++ < 5 ? 'ArrowDown' : 'ArrowUp'));
			});
			await keyboard.press('Enter');
		};
		/** Opens the list of nodes, searches it, takes what is found first, and one of its triggers or actions. */
		const add = async (words: string, found: string, entry: string) => {
			await until('the list of nodes', async () => {
				await keyboard.press('n');
				return (await panel.isVisible()) || undefined;
			});
			await panel.locator('input:focus').first().waitFor();
			await keyboard.press('Control+A');
			await keyboard.type(words);
			await take(found);
			await take(entry);
			await editor.parameters.waitFor();
		};
		const tabTo = async (selector: string, on = page) => {
			const focused = on.locator(`${selector}:focus`);
			// A page that is still loading has nothing to go to.
			await on.locator(selector).last().waitFor({ state: 'attached' });
			for (let presses = 0; (await focused.count()) === 0; presses++) {
				if (presses > 200) throw new Error(`The Tab key does not lead to ${selector}`);
				await on.keyboard.press('Tab');
			}
		};
		const press = async (selector: string, on = page) => {
			await tabTo(selector, on);
			await on.keyboard.press('Enter');
		};
		const type = async (parameter: string, text: string) => {
			await tabTo(`[data-test-id=parameter-input-${parameter}] input`);
			await keyboard.type(text);
		};
		await editor.newWorkflow();
		editor.clicks = 0;

		await add('form', 'n8n Form', 'On new n8n Form event');
		await type('formTitle', 'Contract');
		await press('[data-test-id=fixed-collection-add]');
		await type('fieldLabel', 'data');
		await press('[data-test-id=parameter-input-fieldType] input');
		await keyboard.type('File');
		// Before the list is filtered, another type is its first entry.
		await until('the list with File alone', async () => {
			return (await editor.openEntries().allInnerTexts()).join() === 'File' || undefined;
		});
		await keyboard.press('ArrowDown');
		await keyboard.press('Enter');
		await saved('"fieldType":"file"');
		await press('[data-test-id=ndv-close-button]');
		await editor.node.waitFor({ state: 'hidden' });

		await add('send for signature', 'eSign', 'Create and send document (billed)');
		await press('[data-test-id=fixed-collection-recipients] [data-test-id=fixed-collection-add]');
		await type('name', 'Ada Arden');
		await type('email', 'ada@arden.example');
		const run = async () => await press('[data-test-id=node-execute-button]');
		const form = await fillIn(run, 'By keys', async (opened) => await press('input[type=file]', opened));
		await press('#submit-btn', form);

		await isOut('By keys');
		await everyRunSucceeded();
		expect(editor.clicks).toBe(0);
		await editor.closeNode();
	});
});

describe('A template, sent to the people of its two roles with two values', () => {
	const MOST_CLICKS = 16;
	let trigger: string;

	it('first a trigger is published, and registers its webhook', async () => {
		await editor.newWorkflow();
		await editor.add('sign', 'On document completed');
		await editor.picture('trigger');
		await editor.closeNode();
		expect(await editor.publish()).toContain('registered its own webhook');
		expect(await stage.service.endpoints()).toMatchObject([{ events: ['document.completed'], status: 'ACTIVE' }]);
		trigger = editor.page.url();
	});

	it(`goes out from the first run on, in ${MOST_CLICKS} clicks at most`, async () => {
		const { parameters } = editor;
		await editor.newWorkflow();
		editor.clicks = 0;

		await editor.add('e-signature', 'Send document from template by email (billed)');
		const templates = await editor.searchList('templateId', '');
		await until('both templates', async () => (await templates.count()) === 2 || undefined);
		await editor.searchList('templateId', 'offer');
		await until('one template', async () => (await templates.count()) === 1 || undefined);
		await templates.filter({ hasText: 'Offer Letter' }).click();
		const people = { 'Candidate name': 'Ada Arden', 'Candidate email': 'ada@arden.example', 'HR name': 'Harry Ross' };
		const values = { 'HR email': 'hr@pumps.example', position: 'Pump engineer', salary: '64000' };
		for (const [label, text] of Object.entries({ ...people, ...values })) await editor.type(label, text);
		const fields = parameters.getByTestId('mapping-fields-container').last();
		await fields.getByText('position (text)').waitFor();
		expect(await fields.getByText(/signature/).count()).toBe(0);
		// Not of the job: somebody has to sign.
		await parameters.getByTestId('parameter-input-embed').locator('.el-switch').click();
		editor.clicks--;
		await saved('64000');
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
		await everyRunSucceeded();
		expect(editor.clicks).toBeGreaterThan(8);
		expect(editor.clicks).toBeLessThanOrEqual(MOST_CLICKS);
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
		for (const value of ['Pump engineer', /64.?000/]) expect(await signer.getByText(value).count()).toBeGreaterThan(0);
		await signer.getByRole('button', { name: 'Sign', exact: true }).click();
		// The only signer: what is shown is the end of the document.
		await signer.getByText('Everyone has signed').waitFor();
		await signer.context().close();
		expect(await stage.service.document(String(item?.json.id))).toMatchObject({ status: 'completed' });

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
		await until('the webhook to be gone', async () => (await stage.service.endpoints()).length === 0 || undefined);
	});
});
