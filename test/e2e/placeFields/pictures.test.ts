import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { fieldInputs, planFields } from '../../../nodes/ESign/actions/document/fields/plan';
import { readFilesText } from '../../../nodes/ESign/actions/document/fields/documentText';
import { readFields } from '../../../nodes/ESign/actions/document/fields/request';
import { scriptedItem } from '../../actions/support/scriptedItem';
import { projectRoot } from '../../support/packing';
import { openEmpty, place, setStage } from './support/stage';
import { pagesWith } from './support/testPdf';

setStage();

const PEOPLE = [{ email: 'ada@example.com' }, { email: 'grace@example.com' }];

/** In kilobytes; a picture of a page with some lines has far less. */
const MAX_SIZE = 120;

/** The fields as the node places them, for the page that draws them. */
async function plannedJson(pdf: Buffer, parameters: INodeParameters): Promise<string> {
	const { item } = scriptedItem(parameters);
	const request = readFields(item);
	const file = { name: 'contract.pdf', mimeType: 'application/pdf', bytes: pdf };
	const document = await readFilesText({ binary: [file] }, request);
	const planned = await planFields(item, { request, recipients: PEOPLE, document });
	item.check();
	return JSON.stringify(
		fieldInputs(planned).map((input, index) => ({
			...input,
			recipient: Number(planned[index]?.recipient ?? 0) + 1,
		})),
	);
}

const LINES = ['Signature of the client: ______________________', 'Date: ______________'];

const anchored = (type: string, text: string) => ({
	recipient: 1,
	type,
	anchor: { text, side: 'right' },
});

describe('The pictures of docs/placing-fields.md show where the node puts fields', () => {
	it.each<[string, string[], INodeParameters]>([
		['tags', ['Signature: [[signature 1]]', 'Date: [[date 1]]', '[[signature 2]]'], {}],
		['last-page', ['The end of the contract'], {}],
		[
			'text',
			LINES,
			{
				fieldsInput: 'json',
				fieldsJson: JSON.stringify([
					anchored('SIGNATURE', 'Signature of the client:'),
					anchored('DATE', 'Date:'),
				]),
			},
		],
		[
			'position',
			['A scan, whose text nobody can read'],
			{
				fieldsInput: 'json',
				fieldsJson: JSON.stringify([
					{
						recipient: 1,
						type: 'SIGNATURE',
						pageNumber: 1,
						xNorm: 0.1,
						yNorm: 0.2,
						widthNorm: 0.35,
						heightNorm: 0.07,
					},
				]),
			},
		],
	])('%s', async (name, lines, parameters) => {
		await openEmpty({ viewport: { width: 1000, height: 1100 } });
		const pdf = await pagesWith(lines);
		const json = await plannedJson(pdf, { fieldsInput: 'automatic', ...parameters });
		await place.openPdf(pdf);
		if (name === 'tags') await place.page.getByText('3 tags found.').waitFor();
		else await place.read(json);
		const shown = name === 'tags' ? '.tag' : '.box';
		expect(await place.page.locator(shown).count()).toBe((JSON.parse(json) as unknown[]).length);
		await place.press('Escape');

		// The part of the page that has something on it.
		const top = name === 'last-page' ? 0.62 : 0.08;
		await place.at(1, 0.5, top + 0.2);
		const { x, y, width, height } = (await place.sheet(1).boundingBox())!;
		const clip = { x, y: y + height * top, width, height: height * 0.36 };
		const path = join(projectRoot, 'docs', 'screenshots', `placing-${name}.png`);
		await place.page.screenshot({ path, clip });
		expect((await stat(path)).size).toBeLessThan(MAX_SIZE * 1024);
	});
});
