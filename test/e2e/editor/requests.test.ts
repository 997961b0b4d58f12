import { until } from '../../support/processes/until';
import { ServiceClient } from '../../support/serviceClient';
import { chain, eSign, node } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { LOOK_UP, type Editor } from './support/editor';
import { setEditorStage, type EditorStage } from './support/editorStage';

const LIMIT = 10;
const WINDOW_SECONDS = 30;
/** Enough to open a list in. */
const LEFT_SECONDS = 15;
const ROWS = 6;

/** What the nodes of the workflow are called. */
const FIELDS = 'Six fields';
const TEMPLATE = 'A template';
const UNOPENED = 'Never opened';
const BULK = 'Twelve reads';

/** What the page of a browser has. */
interface Styles {
	getComputedStyle(of: never): { color: string };
}

/** More red than green. */
function isRed(colour: string): boolean {
	const [red = 0, green = 0] = colour.match(/\d+/g)?.map(Number) ?? [];
	return red > green + 60;
}

/** But for a while that a request may be on its way. */
const isWithinMinute = (from: string, to: string) => Date.parse(to) - Date.parse(from) < 55_000;

describe('An editor whose API key has ten requests a minute', () => {
	let stage: EditorStage;
	let editor: Editor;
	let workflowId: string;

	beforeAll(async () => {
		stage = await setEditorStage({ rateLimit: LIMIT, rateWindow: WINDOW_SECONDS });
		({ editor } = stage);
		const { credentialId } = stage;
		const { key } = await stage.sandbox.control.createKey({ mode: 'TEST' });
		const other = new ServiceClient(stage.sandbox.url, key);
		const emails = Array.from({ length: ROWS }, (_, index) => `person${index}@example.com`);
		const draft = await other.draft('To place fields on', emails);
		const unopened = await other.draft('Never opened', emails);
		const byId = (value: string) => ({ __rl: true, mode: 'id', value });
		const place = {
			type: 'SIGNATURE',
			pageNumber: 1,
			xNorm: 0.1,
			yNorm: 0.1,
			widthNorm: 0.2,
			heightNorm: 0.05,
		};
		const fields = { field: emails.map((recipient) => ({ recipient, ...place })) };
		const update = { operation: 'updateFields', fieldsInput: 'form', fields };
		const nda = await other.template('Mutual NDA');
		const names = ['Client', 'Company'].flatMap((role) => [`${role} name`, `${role} email`]);
		const value = Object.fromEntries(names.map((name) => [name, 'ada@example.com']));
		const people = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
		const nodes = [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node('Rows', 'n8n-nodes-base.code', {
				jsCode: `return Array.from({ length: 12 }, () => ({ json: { id: '${draft.id}' } }))`,
			}),
			eSign(BULK, 'eSign', credentialId, { operation: 'get', documentId: byId('={{ $json.id }}') }),
			eSign(
				FIELDS,
				'eSign',
				credentialId,
				{ ...update, documentId: byId(draft.id) },
				{ disabled: true },
			),
			eSign(
				UNOPENED,
				'eSign',
				credentialId,
				{ ...update, documentId: byId(unopened.id) },
				{ disabled: true },
			),
			eSign(
				TEMPLATE,
				'eSign',
				credentialId,
				{ resource: 'template', operation: 'send', templateId: byId(nda), people },
				{ disabled: true },
			),
		];
		nodes.forEach((each, index) => (each.position = [index * 220, 0]));
		workflowId = await editor.importFile('Requests', chain('Requests', nodes));
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close(), 60_000);

	/** Opens a node, lets it read what it wants, and closes it. */
	async function look(name: string): Promise<void> {
		const isLookUp = (response: { url(): string }) => response.url().includes(LOOK_UP);
		const first = name === BULK ? undefined : editor.page.waitForResponse(isLookUp);
		await editor.openNode(name);
		await first;
		await editor.settled();
		expect(await editor.problems()).toEqual([]);
		expect(await editor.parameters.getByTestId('parameter-issues').count()).toBe(0);
		await editor.closeNode();
	}

	/** Another program spends what is left of the limit. */
	async function useUp(): Promise<void> {
		const headers = { authorization: `Bearer ${stage.sandbox.keys.test}` };
		await until('the limit to be used up for a while', async () => {
			let answer;
			do answer = await fetch(`${stage.sandbox.url}/account`, { headers });
			while (answer.ok);
			return Number(answer.headers.get('retry-after')) > LEFT_SECONDS || undefined;
		});
	}

	it.each([FIELDS, TEMPLATE])(
		'%s: opening it takes two requests at most, and none again within a minute',
		async (name) => {
			const { control } = stage.sandbox;
			const before = (await control.requests()).length;
			// On a busy machine the form may be closed before it has asked for all that it shows.
			for (let time = 0; time < 3; time++) await look(name);
			const asked = (await control.requests()).slice(before);
			expect(new Set(asked.map(({ path }) => path)).size).toBeLessThanOrEqual(2);
			// The machine may also take longer than that minute.
			const early = asked.filter(({ path, at }, index) =>
				asked.slice(0, index).some((one) => one.path === path && isWithinMinute(one.at, at)),
			);
			expect({ early, asked }).toEqual({ early: [], asked });
		},
	);

	it('shows what stands in the rows while another program has used the limit up', async () => {
		await useUp();
		for (const name of [FIELDS, TEMPLATE, UNOPENED]) await look(name);
	});

	it('a list that was never opened says when to try again, and is there then', async () => {
		const { page } = editor;
		await editor.openNode(UNOPENED);
		const list = editor.parameters.getByTestId('resource-locator-documentId');
		await list.getByTestId('rlc-mode-selector').click();
		await page.getByTestId('mode-list').click();
		await useUp();
		await list.getByTestId('rlc-input').click();
		const said = page.getByTestId('rlc-error-container');
		await said
			.getByText(/the rate limit of this API key is used up, and resets in \d+ s/)
			.waitFor();
		const colours = await said
			.locator('*')
			.evaluateAll((all) =>
				(all as never[]).map(
					(one) => (globalThis as unknown as Styles).getComputedStyle(one).color,
				),
			);
		expect(colours.filter(isRed)).toEqual([]);
		await page.keyboard.press('Escape');
		await until('the list', async () => {
			await list.getByTestId('rlc-input').click();
			await editor.settled();
			if ((await page.getByTestId('rlc-item').count()) > 0) return true;
			await page.keyboard.press('Escape');
			return undefined;
		});
		await page.keyboard.press('Escape');
		await editor.closeNode();
	});

	it('nodes that are opened while a run waits for the limit show no problem, and the run continues', async () => {
		await useUp();
		await editor.page.getByTestId('execute-workflow-button').click();
		for (const name of [BULK, FIELDS, TEMPLATE, UNOPENED]) await look(name);
		const [run] = await stage.n8n.api.finishedExecutions(workflowId, 1, 90_000);
		expect(run?.status).toBe('success');
		for (const name of [BULK, FIELDS, TEMPLATE, UNOPENED]) await look(name);
	});
});
