import type { INodeProperties } from 'n8n-workflow';
import { resources } from '../../../nodes/ESign/actions';
import type { Resource } from '../../../nodes/ESign/operation/operation';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import type { Editor } from './support/editor';
import { setEditorStage, type EditorStage } from './support/editorStage';

const every: readonly Resource[] = resources;

/** Every operation, with the names that the editor shows and its parameters. */
const operations = every.flatMap(({ option: resource, operations: of }) =>
	of.map(({ option, description }) => ({
		resource: resource.name,
		operation: option.name,
		description: description.map(({ property }) => property),
	})),
);

/** Parameters of a panel that depend on what another one holds. */
const DEPENDENT = ['recipientId', 'templateLinkId', 'deliveryId'];

/** What n8n gives labels of its own. */
const LABELLED_BY_N8N = ['notice', 'resourceMapper'];

/** What an element of the page has. */
type Box = Record<'scrollWidth' | 'clientWidth', number> & { innerText: string };

describe('The panel of every operation', () => {
	let stage: EditorStage;
	let editor: Editor;

	beforeAll(async () => {
		stage = await setEditorStage();
		await stage.service.send('Out for signature', ['ada@example.com']);
		({ editor } = stage);
		await editor.newWorkflow();
		await editor.add('contract', 'Get account');
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close(), 60_000);

	it.each(operations)(
		'$resource > $operation opens whole and without a problem, and its lists load',
		async ({ resource, operation, description }) => {
			const { page, parameters } = editor;
			await editor.pick('resource', resource);
			await editor.pick('operation', operation);
			const labels = description
				.filter(({ type, displayOptions }) => !displayOptions && !LABELLED_BY_N8N.includes(type))
				.map(({ displayName }) => displayName);
			for (const label of ['Resource', 'Operation', ...labels]) {
				await parameters
					.getByTestId('input-label')
					.getByText(label, { exact: true })
					.first()
					.waitFor();
			}
			await editor.settled();
			expect(await editor.problems()).toEqual([]);
			const cut = await parameters
				.locator('*')
				.evaluateAll((all) =>
					(all as unknown as Box[])
						.filter(
							(box) =>
								box.innerText && box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1,
						)
						.map(({ innerText }) => innerText),
				);
			expect(cut).toEqual([]);

			// n8n marks what is required and empty; nothing else may be marked before somebody has
			// touched it.
			const marked = await parameters
				.getByTestId('parameter-issues')
				.evaluateAll((all) =>
					all.map((mark) =>
						mark.closest('[data-test-id^="parameter-input-"]')?.getAttribute('data-test-id'),
					),
				);
			const required = requiredOf(description).map((name) => `parameter-input-${name}`);
			expect(marked.filter((mark) => !required.includes(String(mark)))).toEqual([]);

			const locators = description.filter(
				({ type, displayOptions }) => type === 'resourceLocator' && !displayOptions,
			);
			for (const { name } of locators) {
				await parameters.getByTestId(`resource-locator-${name}`).getByTestId('rlc-input').click();
				await page.getByTestId('rlc-search').waitFor();
				const entries = page.getByTestId('rlc-item');
				const isFilled = ['documentId', 'templateId'].includes(name);
				// Another list may have no entries, but it says so.
				await (isFilled ? entries : entries.or(page.getByText('No results'))).first().waitFor();
				expect(await page.getByTestId('rlc-error-container').count()).toBe(0);
				if (isFilled && locators.some((other) => DEPENDENT.includes(other.name)))
					await entries.first().click();
				else await page.keyboard.press('Escape');
				await editor.settled();
				await page.getByTestId('rlc-search').waitFor({ state: 'hidden' });
			}
			// The lists inside of rows: roles, recipients of fields.
			for (const { name, type, displayOptions } of description) {
				if (type !== 'fixedCollection' || displayOptions?.show?.fieldsInput) continue;
				const add = parameters
					.getByTestId(`fixed-collection-${name}`)
					.getByTestId('fixed-collection-add');
				if (!(await add.isVisible())) continue;
				await add.first().click();
			}
			await editor.settled();
			expect(await editor.problems()).toEqual([]);
		},
	);
});

/**
 * What is required, also in the rows of lists: a row that was added for one operation stays for the
 * next that has the same list.
 */
function requiredOf(properties: readonly INodeProperties[]): string[] {
	return properties.flatMap(({ name, required, options = [] }) => [
		...(required ? [name] : []),
		...options.flatMap((option) => ('values' in option ? requiredOf(option.values) : [])),
	]);
}
