import type { IDataObject } from 'n8n-workflow';
import { FIELD_TYPES } from '../fieldTypes';
import { placeAmong, useOneOf, type NamedRecipient } from '../recipients';
import { fold, mostAlike } from '../text/compare';
import { UNKNOWN } from '../text/flow';

/**
 * What stands in double brackets, with the recipients ada@example.com and grace@x-y.com:
 *
 * | in the document                  | what it is                                           |
 * | -------------------------------- | ---------------------------------------------------- |
 * | `signature 1`, `SIGNATURE01`     | a signature of the first recipient                   |
 * | `sig-⏎nature grace@x-⏎y.com`     | a signature of the second, broken over lines         |
 * | `text 1 optional: Job title`     | a text that may stay empty, with a placeholder       |
 * | `Radio group 2: Monthly, Yearly` | two choices                                          |
 * | `textarea 1`, `Text Area 1`      | a text area: the longest type counts                 |
 * | `signature 3`, `date bob@x.com`  | refused: not one of the recipients                   |
 * | `signature`, `date: today`       | refused: names no recipient                          |
 * | `sgnature 1`, `signature_1`      | refused: nearly a type                               |
 * | `sign?ture 1`, with a sign that cannot be read | refused                                |
 * | `Company name`, `Date of birth`  | other: refused if the document has a tag             |
 * | `1`                              | undefined: a reference, or the like                  |
 */
export type Reading = Tag | Refusal;

export interface Tag {
	kind: 'tag';
	/** The place in the list of recipients. */
	recipient: number;
	/** What it says of its field, by the names of the service, unchecked. */
	input: IDataObject & { type: string };
}

/** What is wrong, as a sentence about it ends. */
export interface Refusal {
	kind: 'refused' | 'other';
	what: string;
	remedy: string;
}

/** The longest first. */
const TYPES = Object.entries(FIELD_TYPES)
	.map(([value, [name]]) => ({ value, folded: fold(name) }))
	.sort((one, other) => other.folded.length - one.folded.length);

/** Without hyphens: at the end of a line, one may belong to the word or not. */
function bare(text: string): string {
	return fold(text).replace(/-|_(?=AREA|GROUP)/g, '');
}

/** @param text without the brackets; lines end where they do in the document */
export function readTag(text: string, recipients: readonly NamedRecipient[]): Reading | undefined {
	if (/^\d+$/.test(fold(text))) return undefined;
	if (text.includes(UNKNOWN))
		return refused('has a sign that cannot be read', 'Set it in a common font, such as Arial');
	const [head = '', ...tail] = text.split(':');
	const wanted = bare(head);
	const named = wanted.replace(/OPTIONAL$/, '');
	const emails = recipients.map(({ email }) => bare(String(email)));
	const types = TYPES.filter(({ folded }) => named.startsWith(folded));
	for (const { value: type, folded } of types) {
		const recipient = placeAmong(emails, named.slice(folded.length));
		const whom = recipients[recipient];
		if (!whom) continue;
		if (whom.type === 'cc') return refused(`names ${whom.email}, who is a cc`, 'Name a signer');
		const isChoice = type === 'DROPDOWN' || type === 'RADIO_GROUP';
		const input = {
			type,
			required: named === wanted ? undefined : false,
			[isChoice ? 'dropdownOptions' : 'placeholderText']: detailsIn(tail.join(':')),
		};
		return { kind: 'tag', recipient, input };
	}
	if (types[0]) {
		const who = named.slice(types[0].folded.length);
		if (who === '') return refused('names no recipient', 'Name one, as in [[signature 1]]');
		if (/^\d+$|@/.test(who))
			return refused(`names "${who.toLowerCase()}", who is no recipient`, useOneOf(recipients));
	}
	const meant = typeMeant(head);
	if (!meant) return refused('is neither a tag nor filled in', 'Fill it in', 'other');
	return refused('has no type of field', `Write it as in [[${meant.folded.toLowerCase()} 1]]`);
}

function refused(what: string, remedy: string, kind: Refusal['kind'] = 'refused'): Refusal {
	return { kind, what, remedy: `${remedy}, or switch off Use Tags` };
}

/** What stands behind the colon: options, with commas between, or a placeholder. */
function detailsIn(tail: string): string | undefined {
	const lines = tail.replaceAll('-\n', '').replace(/\s+/g, ' ');
	return lines.replace(/\p{C}/gu, '').trim() || undefined;
}

/** The type that a first word nearly is. */
function typeMeant(head: string) {
	const [first = ''] = head.trim().split(/\s/);
	const [word = ''] = /^\D*/.exec(bare(head.includes('@') ? first : head)) ?? [];
	return TYPES.find(({ folded }) => {
		const spare = Math.max(0, word.length - folded.length);
		return mostAlike(folded, word).changes + spare <= (folded.length > 6 ? 2 : 1);
	});
}
