import type { INodeProperties } from 'n8n-workflow';
import { until } from '../../../harness/processes/until';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import type { Editor } from './support/editor';
import { setEditorStage, type EditorStage } from './support/editorStage';
import { operations } from './support/operations';

/** Parameters of a panel that depend on what another one holds. */
const DEPENDENT = ['recipientId', 'templateLinkId', 'deliveryId'];

describe.each(['light', 'dark'] as const)("The panel of every operation, in n8n's %s theme", (colorScheme) => {
	let stage: EditorStage;
	let editor: Editor;

	beforeAll(async () => {
		stage = await setEditorStage();
		await stage.service.send('Out for signature', ['ada@example.com']);
		({ editor } = stage);
		await editor.page.emulateMedia({ colorScheme });
		await editor.newWorkflow();
		await editor.add('contract', 'Get account');
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close(), 60_000);

	const problems = async () =>
		await editor.parameters
			.getByText(/error|could not|can.t get|problem|not supported/i)
			.filter({ visible: true })
			.allInnerTexts();

	it.each(operations)(
		'$resource > $operation opens without a problem, and its lists load',
		async ({ resource, operation, description }) => {
			const { page, parameters } = editor;
			await editor.pick('resource', resource);
			await editor.pick('operation', operation);
			await page.waitForLoadState('networkidle');
			expect(await problems()).toEqual([]);

			// n8n marks what is required and empty; nothing else may be marked before somebody has touched it.
			const marked = await parameters
				.getByTestId('parameter-issues')
				.evaluateAll((all) =>
					all.map(
						(mark) => mark.closest('[data-test-id^="parameter-input-"]')?.getAttribute('data-test-id') ?? 'unknown',
					),
				);
			const required = requiredOf(description).map((name) => `parameter-input-${name}`);
			expect(marked.filter((mark) => !required.includes(mark))).toEqual([]);

			const locators = description.filter(({ type, displayOptions }) => type === 'resourceLocator' && !displayOptions);
			for (const { name } of locators) {
				await parameters.getByTestId(`resource-locator-${name}`).getByTestId('rlc-input').click();
				await page.getByTestId('rlc-search').waitFor();
				const has = async () => (await page.getByTestId('rlc-item').count()) > 0;
				const isFilled = ['documentId', 'templateId'].includes(name);
				if (isFilled) await until(`the list of ${name}`, async () => ((await has()) ? true : undefined));
				await page.waitForLoadState('networkidle');
				expect(await page.getByTestId('rlc-error-container').count()).toBe(0);
				if (isFilled && locators.some((other) => DEPENDENT.includes(other.name))) {
					await page.getByTestId('rlc-item').first().click();
					await page.waitForLoadState('networkidle');
				} else {
					// A list may have no entries, but it says so.
					await page.getByTestId('rlc-item').or(page.getByText('No results')).first().waitFor();
					await page.keyboard.press('Escape');
				}
				await page.getByTestId('rlc-search').waitFor({ state: 'hidden' });
			}
			// The lists inside of rows: roles, recipients of fields.
			for (const { name, type, displayOptions } of description) {
				if (type !== 'fixedCollection' || displayOptions?.show?.fieldsInput) continue;
				const add = parameters.getByTestId(`fixed-collection-${name}`).getByTestId('fixed-collection-add');
				if (!(await add.isVisible())) continue;
				await add.first().click();
				await page.waitForLoadState('networkidle');
			}
			expect(await problems()).toEqual([]);
			expect(await page.getByTestId('error-toast').count()).toBe(0);
		},
	);
});

/** What is required, also in the rows of lists: a row that was added for one operation stays for the next that has the same list. */
function requiredOf(properties: readonly INodeProperties[]): string[] {
	return properties.flatMap(({ name, required, options = [] }) => [
		...(required ? [name] : []),
		...options.flatMap((option) => ('values' in option ? requiredOf(option.values) : [])),
	]);
}
