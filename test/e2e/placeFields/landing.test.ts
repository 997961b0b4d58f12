import { ESign } from '../../../nodes/ESign/ESign.node';
import { binary, N8n } from '../../../harness/n8nCore/n8n';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { readPdf } from '../../sandbox/pdf/readPdf';
import { DESKTOP, type Corners } from './support/placeFieldsPage';
import { openEmpty, place, setStage } from './support/stage';
import { markedPages } from './support/testPdf';

const TYPE = 'n8n-nodes-esign.eSign';
const ADA = { name: 'Ada Arden', email: 'ada@arden.example' };
/** Pixels of a page 900 wide that drawing and rendering may be off, as a fraction. */
const PIXEL = 0.004;

let sandbox: Sandbox;

setStage();
beforeAll(async () => (sandbox = await startSandbox({ rateLimit: 0 })));
afterAll(() => sandbox?.close());

/** Where a person sees the marker on the screen: the box around the pixels of a page that are not white. */
async function seenMarker(number: number): Promise<Corners> {
	return await place
		.sheet(number)
		.locator('canvas')
		.evaluate((element) => {
			const canvas = element as unknown as { width: number; height: number; getContext(kind: '2d'): Context };
			interface Context {
				getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
			}
			const { width, height } = canvas;
			const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
			const edges: [number, number, number, number] = [width, height, 0, 0];
			for (let at = 0; at < data.length; at += 4) {
				if (data[at + 2]! > 240) continue;
				const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
				edges[0] = Math.min(edges[0], x);
				edges[1] = Math.min(edges[1], y);
				edges[2] = Math.max(edges[2], x + 1);
				edges[3] = Math.max(edges[3], y + 1);
			}
			return [edges[0] / width, edges[1] / height, edges[2] / width, edges[3] / height];
		});
}

/** Creates the document with the node, signs it, and fetches what was sealed. */
async function sealed(bytes: Buffer, fieldsJson: string): Promise<Buffer> {
	const n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: sandbox.url, apiKey: sandbox.keys.live });
	const run = async (operation: string, parameters: object) => {
		const items = [{ json: {}, binary: { data: await binary(bytes, 'marked.pdf', 'application/pdf') } }];
		const given = { resource: 'document', operation, ...parameters };
		const { items: output, error } = await n8n.runNode(TYPE, { parameters: given, items });
		if (error) throw error;
		return output[0]!;
	};
	const { json } = await run('createAndSend', {
		recipients: { recipient: [{ ...ADA, type: 'signer' }] },
		fieldsInput: 'json',
		fieldsJson,
	});
	const [ada] = json.recipients as Array<{ id: string }>;
	await sandbox.control.sign(ada!.id);
	const headers = { authorization: `Bearer ${sandbox.keys.live}` };
	const file = await fetch(`${sandbox.url}/documents/${String(json.id)}/files/signed`, { headers });
	const { url } = (await file.json()) as { url: string };
	return Buffer.from(await (await fetch(url)).arrayBuffer());
}

describe('A value lands where its box was drawn', () => {
	it.each([
		['at 100 %', DESKTOP, 0],
		['on a screen of twice the pixels, zoomed in', { ...DESKTOP, deviceScaleFactor: 2 }, 2],
		['zoomed out', DESKTOP, -2],
	])('on pages turned and cropped in every way, %s', async (_how, options, zoom) => {
		const { bytes, pages } = await markedPages();
		await openEmpty(options);
		await place.openPdf(bytes, 'marked.pdf');
		await place.page.getByLabel('Email of recipient 1').fill(ADA.email);
		const button = zoom > 0 ? 'Zoom in' : 'Zoom out';
		for (let step = 0; step < Math.abs(zoom); step++) await place.page.getByRole('button', { name: button }).click();

		for (const [index, { marker }] of pages.entries()) {
			await place.at(index + 1, (marker.left + marker.right) / 2, (marker.top + marker.bottom) / 2);
			await place.drawn(index + 1);
			const seen = await seenMarker(index + 1);
			// What the person sees is where the file says the marker is: otherwise the rest of this test means nothing.
			expect(seen[0]).toBeCloseTo(marker.left, 2);
			expect(seen[3]).toBeCloseTo(marker.bottom, 2);
			await place.draw(index + 1, seen);
		}
		const entries = await place.entries();
		expect(entries.map(({ pageNumber }) => pageNumber)).toEqual(pages.map((_page, index) => index + 1));
		entries.forEach((entry, index) => {
			const { left, top, right, bottom } = pages[index]!.marker;
			expect(Math.abs(entry.xNorm - left)).toBeLessThan(PIXEL);
			expect(Math.abs(entry.yNorm - top)).toBeLessThan(PIXEL);
			expect(Math.abs(entry.widthNorm - (right - left))).toBeLessThan(PIXEL);
			expect(Math.abs(entry.heightNorm - (bottom - top))).toBeLessThan(PIXEL);
		});

		const { pages: result } = readPdf(await sealed(bytes, await place.json()));
		result.forEach(({ texts, ink }, index) => {
			const { turn, cropped, marker } = pages[index]!;
			const signature = texts.find(({ text }) => text.includes('Ada'));
			// Nothing but the marker and what lies inside of it.
			expect({ turn, cropped, ink: ink && ink.left > marker.left - PIXEL && ink.right < marker.right + PIXEL }).toEqual(
				{
					...{ turn, cropped, ink: true },
				},
			);
			expect(ink!.top).toBeGreaterThan(marker.top - PIXEL);
			expect(ink!.bottom).toBeLessThan(marker.bottom + PIXEL);
			expect(signature?.x).toBeGreaterThan(marker.left);
			expect(signature?.x).toBeLessThan(marker.right);
			expect(signature?.y).toBeGreaterThan(marker.top);
			expect(signature?.y).toBeLessThan(marker.bottom);
		});
	});
});
