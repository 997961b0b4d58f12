import v8 from 'v8';
import vm from 'vm';
import type { Document } from '../../nodes/ESign/client';
import { noteOwner, type Kept } from '../../nodes/ESign/sending/known/kept';
import { peopleKey, titleKey, type Names } from '../../nodes/ESign/sending/known/names';

const MB = 1024 * 1024;
const DOCUMENTS = 60;

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

/** What an item is known by whose title is one word of a text of a megabyte. */
function namesOfRow(row: number): Names {
	const { text } = JSON.parse(`{"text":"Contract_of_row_${row}_${'x'.repeat(MB)}"}`) as {
		text: string;
	};
	return {
		item: `node item${row}/0`,
		same: `node same${row}`,
		alike: `node same${row}`,
		written: 'written',
		title: titleKey(text.slice(0, 40)),
		people: peopleKey(['ada@example.com']),
		hasData: true,
		isAlone: true,
		isSkipping: false,
		begun: [],
	};
}

it('keeps of the owner of a document no text that its title was cut from', () => {
	const kept: Kept = { line: { id: 'line' }, open: [], made: [], nodes: {} };
	collectGarbage();
	const before = process.memoryUsage().heapUsed;

	for (let row = 0; row < DOCUMENTS; row++) {
		noteOwner(kept, namesOfRow(row), { id: `doc_${row}` } as Document);
	}
	collectGarbage();

	expect((process.memoryUsage().heapUsed - before) / MB).toBeLessThan(DOCUMENTS / 4);
});
