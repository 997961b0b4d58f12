import { ESign } from '../../../nodes/ESign/ESign.node';
import { binary, N8n } from '../../support/n8nCore/n8n';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { readPdf } from '../../sandbox/pdf/readPdf';
import { DESKTOP } from './support/placeFieldsPage';
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

/** Creates the document with the node, signs it, and fetches what was sealed. */
async function sealed(bytes: Buffer, fieldsJson: string): Promise<Buffer> {
	const n8n = new N8n({ [TYPE]: new ESign() }, { baseUrl: sandbox.url, apiKey: sandbox.keys.live });
	const { items, error } = await n8n.runNode(TYPE, {
		items: [{ json: {}, binary: { data: await binary(bytes, 'marked.pdf', 'application/pdf') } }],
		parameters: {
			...{ resource: 'document', operation: 'createAndSend', fieldsInput: 'json', fieldsJson },
			recipients: { recipient: [{ ...ADA, type: 'signer' }] },
		},
	});
	if (error) throw error;
	const { json } = items[0]!;
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
		for (let step = 0; step < Math.abs(zoom); step++)
			await place.page.getByRole('button', { name: button }).click();

		for (const [index, { marker }] of pages.entries()) {
			await place.at(index + 1, (marker.left + marker.right) / 2, (marker.top + marker.bottom) / 2);
			await place.drawn(index + 1);
			const seen = await place.ink(index + 1);
			// What the person sees is where the file says the marker is: otherwise the rest of this test
			// means nothing.
			expect(seen[0]).toBeCloseTo(marker.left, 2);
			expect(seen[3]).toBeCloseTo(marker.bottom, 2);
			await place.draw(index + 1, seen);
		}
		const entries = await place.entries();
		expect(entries.map(({ pageNumber }) => pageNumber)).toEqual(
			pages.map((_page, index) => index + 1),
		);
		entries.forEach((entry, index) => {
			const { left, top, right, bottom } = pages[index]!.marker;
			const drawn = [entry.xNorm, entry.yNorm, entry.widthNorm, entry.heightNorm];
			const off = [left, top, right - left, bottom - top].map((value, edge) =>
				Math.abs(value - drawn[edge]!),
			);
			expect(Math.max(...off)).toBeLessThan(PIXEL);
		});

		const { pages: result } = readPdf(await sealed(bytes, await place.json()));
		result.forEach(({ texts, ink }, index) => {
			const { turn, cropped, marker } = pages[index]!;
			const { left, top, right, bottom } = marker;
			const inside = (x = -1, y = -1) =>
				x > left - PIXEL && x < right + PIXEL && y > top - PIXEL && y < bottom + PIXEL;
			const signature = texts.find(({ text }) => text.includes('Ada'));
			// Nothing but the marker and what lies inside of it.
			const seen = [
				inside(ink?.left, ink?.top),
				inside(ink?.right, ink?.bottom),
				inside(signature?.x, signature?.y),
			];
			expect({ turn, cropped, seen }).toEqual({ turn, cropped, seen: [true, true, true] });
		});
	});
});
