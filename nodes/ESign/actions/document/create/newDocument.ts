import type { IDataObject } from 'n8n-workflow';
import type { Document } from '../../../client';
import {
	additionalFields,
	choice,
	skipIfCreatedWithin,
	title,
	withoutInvisibleEnds,
	hintAtMade,
	type Item,
	type Problems,
} from '../../../operation';
import { sendOnce } from '../../../sending/sendOnce';
import { MAX_LENGTH } from '../../../service/limits';
import { readFilesText } from '../fields/documentText';
import { checkEverySignerSigns, planFields } from '../fields/plan';
import { asksForOriginal, fieldsDescription, readFields } from '../fields/request';
import { stepsToDocument } from './createDocument';
import { filesDescription, readFiles, type DocumentFiles } from './files';
import { readRecipients, recipients } from './recipients';

/** As the editor compares it, whatever n8n's types say: a list to which nobody was added. */
const NO_ROWS = { _cnd: { eq: {} as never } };

/**
 * The form shows it with the second recipient. That is for the editor alone: where n8n decides
 * which values count, it sees no lists, and keeps this one.
 */
const routing = choice('routing', 'Routing', {
	options: {
		parallel: ['Parallel', 'Everyone is asked at once'],
		sequential: ['Sequential', 'One after the other, in the order of the list'],
	},
	default: 'parallel',
	displayOptions: {
		hide: { '/recipients': [NO_ROWS], '/recipients.recipient.length': [0, 1] },
	},
	description: 'In which order the recipients are asked',
});

const more = additionalFields(skipIfCreatedWithin);

export const newDocumentDescription = [
	...filesDescription,
	title.with({
		placeholder: 'e.g. Service Agreement 2026',
		description:
			'The name of the document that recipients see, up to 160 characters. If empty, the name of the first file, or "Untitled document" with uploaded files.',
	}),
	...recipients.description,
	routing,
	...fieldsDescription(true),
	more,
];

/**
 * Checks everything that can be known first: a refusal after the draft exists leaves an orphan that
 * no endpoint can delete.
 */
export async function makeDocument(item: Item, send: boolean): Promise<Document> {
	const { problems } = item;
	const { skipIfCreatedWithin: withinHours } = item.read(more);
	const order = item.read(routing);
	const givenTitle = item.read(title);
	const recipients = readRecipients(item);
	const request = readFields(item);
	const files = await readFiles(item);
	const text = await readFilesText(files, request);
	const fields = await planFields(item, { request, recipients, document: text });
	// Where a file cannot be read, the tags are counted when the draft tells all of them.
	const isCountedLater = text.isPartial && request.automatic !== undefined;
	if (send && !isCountedLater && !problems.any) checkEverySignerSigns(fields, recipients, problems);
	const called = givenTitle ?? titleOf(files, problems);
	item.check();

	// What is undefined is not sent; parallel is what the service does by itself.
	const document: IDataObject = {
		title: called,
		routing: order === 'sequential' ? order : undefined,
		recipients,
	};
	const isPlaced = text.isPlaced || !asksForOriginal(request);
	const made = await sendOnce(item, {
		...stepsToDocument(item, { files, document, recipients, request, fields, isPlaced }),
		send,
		withinHours,
		title: called,
		emails: recipients.map(({ email }) => email),
	});
	await hintAtMade(item.context, made, send);
	return made;
}

/**
 * The name of the first file. Of files given by ID nothing is known: the service calls such a
 * document "Untitled document".
 */
function titleOf(files: DocumentFiles, problems: Problems): string | undefined {
	if ('fileIds' in files || problems.any) return undefined;
	const title = titleFrom(files.binary[0]?.fileName ?? '');
	if (title === '')
		problems.add('Title', 'is empty, and the first file has no name', 'Enter a title');
	return title;
}

/**
 * | name of the file           | title          |
 * | `NDA v1.2.pdf`             | NDA v1.2       |
 * | `NDA v1.2`                 | NDA v1.2       |
 * | `../../in/NDA.pdf`         | NDA            |
 * | `C:\Users\ada\NDA.docx`    | NDA            |
 * | `NDA\r\n  of 2026.pdf`     | NDA of 2026    |
 * | `.pdf`                     |                |
 */
export function titleFrom(fileName: string): string {
	const [last = ''] = fileName.split(/[/\\]/).slice(-1);
	const bare = last.replace(/\.(?:pdf|docx?|png|jpe?g|bin|tmp|dat)$/i, '');
	const title = withoutInvisibleEnds(bare.replace(/\s+/g, ' '));
	return [...title].slice(0, MAX_LENGTH.title).join('').trim();
}
