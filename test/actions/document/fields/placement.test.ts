import type { Place } from '../../../../nodes/ESign/actions/document/fields/field';
import {
	fieldInputs,
	planFields,
	signatureFields,
} from '../../../../nodes/ESign/actions/document/fields/plan';
import type { WantedField } from '../../../../nodes/ESign/actions/document/fields/placeFields';
import { readFields } from '../../../../nodes/ESign/actions/document/fields/request';
import { scriptedItem } from '../../support/scriptedItem';
import { pageWith } from './support/page';

const placeSignatures = (...asked: Parameters<typeof signatureFields>) =>
	signatureFields(...asked) as Array<WantedField & Place>;

/** As narrow as A4, and as low as Letter. */
const page = { width: 595.28, height: 792 };

describe('Automatic placement', () => {
	it.each([1, 2, 5, 10])(
		'gives %i signers boxes that neither overlap nor leave the page',
		(count) => {
			const boxes = placeSignatures([...Array(count).keys()], 3, {
				addName: true,
				addDate: true,
			});
			expect(boxes).toHaveLength(3 * count);
			const corners = boxes.map(({ xNorm, yNorm, widthNorm, heightNorm }) => ({
				left: xNorm * page.width,
				right: (xNorm + widthNorm) * page.width,
				top: yNorm * page.height,
				bottom: (yNorm + heightNorm) * page.height,
			}));
			for (const [index, box] of corners.entries()) {
				expect(Math.min(box.left, box.top)).toBeGreaterThan(0);
				expect(box.right).toBeLessThan(page.width);
				expect(box.bottom).toBeLessThan(page.height);
				for (const other of corners.slice(index + 1)) {
					const apart =
						box.right <= other.left ||
						other.right <= box.left ||
						box.bottom <= other.top ||
						other.bottom <= box.top;
					expect(apart).toBe(true);
				}
			}
			// Room for a signature: at least 40 points high and 150 wide.
			const signatures = boxes.filter(({ type }) => type === 'SIGNATURE');
			expect(signatures.map(({ recipient }) => recipient)).toEqual([...Array(count).keys()]);
			for (const input of signatures) {
				expect(input.widthNorm * page.width).toBeGreaterThan(150);
				expect(input.heightNorm * page.height).toBeGreaterThan(40);
			}
		},
	);

	it('grows upwards: the last signer is at the bottom however many there are', () => {
		const lowest = (count: number) => {
			const signers = [...Array(count).keys()];
			return placeSignatures(signers, 1, { addName: false, addDate: false }).at(-1);
		};
		const [one, ten] = [lowest(1), lowest(10)];
		expect(one?.yNorm).toBe(ten?.yNorm);
		expect(ten?.recipient).toBe(9);
	});

	it.each([
		['is known', true, 1],
		['is not taken from the words of a Word file', false, 0],
	])('a last page %s', async (_, isPlaced, pageNumber) => {
		const { item } = scriptedItem({ fieldsInput: 'automatic' });
		const recipients = [{ email: 'ada@example.com' }];
		const document = { name: '"a"', pages: [pageWith()], isPartial: false, isPlaced };
		const planning = { request: readFields(item), recipients, document };
		await expect(planFields(item, planning)).resolves.toMatchObject([{ pageNumber }]);
	});
});

it('A field is sent with what is known of it, in the order in which it was given', () => {
	const field = { type: 'DATE', pageNumber: 2, text: 'Date', recipient: 1 };
	const [input = {}] = fieldInputs([field], ['rec_1', 'rec_2']);
	expect(Object.entries(input)).toEqual([
		['type', 'DATE'],
		['pageNumber', 2],
		['recipientId', 'rec_2'],
	]);
});
