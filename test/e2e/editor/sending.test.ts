import { contract } from '../../support/serviceClient';
import { until } from '../../support/processes/until';
import { PlaceFieldsPage } from '../placeFields/support/placeFieldsPage';
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

const MAX_CLICKS = 18;

/** Fills in the form that a run opens, and waits until the document is out. */
async function fillIn(
	run: () => Promise<void>,
	title: string,
	submit: (form: Editor['page']) => Promise<void>,
) {
	const opened = editor.page.context().waitForEvent('page');
	await run();
	const form = await opened;
	const choosing = form.waitForEvent('filechooser');
	await submit(form);
	await (
		await choosing
	).setFiles({ name: `${title}.pdf`, mimeType: 'application/pdf', buffer: contract });
	return form;
}

async function isOut(title: string): Promise<void> {
	await editor.node.getByTestId('output-panel').getByText('in_progress').first().waitFor();
	const recipients = [{ email: 'ada@arden.example' }];
	expect((await stage.service.documents())[0]).toMatchObject({
		title,
		status: 'in_progress',
		recipients,
	});
}

it(`A file goes out from the first run on, as README describes it, in ${MAX_CLICKS} clicks at most`, async () => {
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
	await parameters
		.getByTestId('fixed-collection-recipients')
		.getByTestId('fixed-collection-add')
		.click();
	await editor.type('name', 'Ada Arden');
	await editor.type('email', 'ada@arden.example');
	await saved(stage, 'ada@arden.example');
	const run = async () => await editor.node.getByTestId('node-execute-button').click();
	const form = await fillIn(
		run,
		'By clicks',
		async (page) => await page.locator('input[type=file]').click(),
	);
	await form.locator('#submit-btn').click();

	await isOut('By clicks');
	await everyRunSucceeded(stage);
	expect(editor.clicks).toBeGreaterThan(10);
	expect(editor.clicks).toBeLessThanOrEqual(MAX_CLICKS);
});

it('A file goes out with the fields that were drawn in docs/place-fields, whose JSON is pasted into the node', async () => {
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
	await everyRunSucceeded(stage, 2);
	const [, drawn] = await stage.n8n.api.finishedExecutions(editor.workflowId, 2);
	const fields = [{ type: 'SIGNATURE', page: 1 }];
	expect(itemsOf(drawn, 'Create and send document (billed)')).toMatchObject([{ json: { fields } }]);
	await editor.closeNode();
});

it('A file goes out by the keyboard alone', async () => {
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
	/**
	 * Opens the list of nodes, searches it, takes what is found first, and one of its triggers or
	 * actions.
	 */
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
	await saved(stage, '"fieldType":"file"');
	await press('[data-test-id=ndv-close-button]');
	await editor.node.waitFor({ state: 'hidden' });

	await add('send for signature', 'eSign', 'Create and send document (billed)');
	await press('[data-test-id=fixed-collection-recipients] [data-test-id=fixed-collection-add]');
	await type('name', 'Ada Arden');
	await type('email', 'ada@arden.example');
	const run = async () => await press('[data-test-id=node-execute-button]');
	const form = await fillIn(
		run,
		'By keys',
		async (opened) => await press('input[type=file]', opened),
	);
	await press('#submit-btn', form);

	await isOut('By keys');
	await everyRunSucceeded(stage);
	expect(editor.clicks).toBe(0);
	await editor.closeNode();
});
