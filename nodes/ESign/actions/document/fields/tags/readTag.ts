import { MAX_CHOICES, MAX_LENGTH } from '../../../../service/limits';
import { FIELD_TYPES } from '../field';
import { useOneOf, type NamedRecipient } from '../recipients';
import { fold } from '../text/fold';
import { UNKNOWN } from '../text/glyph';
import { mostAlike } from '../text/mostAlike';

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
 * | `1`                              | nothing, such as a reference                         |
 */
export type Reading = Tag | Refusal | { kind: 'other' | 'nothing' };

export interface Tag {
	kind: 'tag';
	/** The place in the list of recipients. */
	recipient: number;
	/** What it says of its field, by the names of the service. */
	input: { type: string; required?: false; placeholderText?: string; dropdownOptions?: string[] };
}

/** What is wrong with a tag, as a sentence about it goes on. */
interface Refusal {
	kind: 'refused';
	what: string;
	remedy: string;
}

const TYPES = FIELD_TYPES.map(({ name, value }) => ({
	value,
	folded: fold(name),
	// A hyphen may stand at the end of a line.
	pattern: new RegExp(`^${[...name.toUpperCase()].join('-?').replace(' ', '_?')}`),
})).sort((one, other) => other.folded.length - one.folded.length);

/** @param text without the brackets; lines end where they do in the document */
export function readTag(text: string, recipients: readonly NamedRecipient[]): Reading {
	if (/^\d+$/.test(fold(text))) return { kind: 'nothing' };
	if (text.includes(UNKNOWN))
		return refused('has a sign that cannot be read', 'Set it in a common font, such as Arial');
	const [head = '', ...tail] = text.split(':');
	// Whether a hyphen at the end of a line belongs to an email, only the recipients can tell.
	const parts = [head, withoutHyphens(head)].flatMap(partsOf);
	for (const { type, who, isOptional } of parts) {
		const recipient = recipients.findIndex(({ email }, index) => {
			return who.replace(/^0+/, '') === String(index + 1) || who === fold(String(email));
		});
		if (recipients[recipient]?.type === 'cc')
			return refused(`names "${who.toLowerCase()}", who is a cc`, 'Name a signer');
		const required = isOptional ? ({ required: false } as const) : {};
		if (recipient >= 0) return withDetails({ type, ...required }, recipient, tail.join(':'));
	}
	return noTag(head, parts.at(-1)?.who, recipients);
}

function refused(what: string, remedy: string): Refusal {
	return { kind: 'refused', what, remedy: `${remedy}, or switch off Use Tags` };
}

function withoutHyphens(text: string): string {
	return text.replaceAll('-\n', '');
}

/** A type and who is named behind it: in all ways to read it, the longest type first. */
function partsOf(head: string) {
	const folded = fold(head);
	const bare = folded.replace(/OPTIONAL$/, '');
	return TYPES.filter(({ pattern }) => pattern.test(bare)).map(({ value, pattern }) => ({
		type: value,
		who: bare.replace(pattern, ''),
		isOptional: bare !== folded,
	}));
}

function withDetails(input: Tag['input'], recipient: number, details: string): Tag | Refusal {
	const text = withoutHyphens(details).replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
	const tag = { kind: 'tag', recipient } as const;
	if (text === '') return { ...tag, input };
	if (!/^(?:DROPDOWN|RADIO_GROUP)$/.test(input.type)) {
		const max = MAX_LENGTH.placeholderText;
		if (text.length > max)
			return refused(`has a placeholder of ${text.length} characters`, `Use ${max} at most`);
		return { ...tag, input: { ...input, placeholderText: text } };
	}
	const options = text
		.split(',')
		.map((option) => option.trim())
		.filter(Boolean);
	if (options.length > MAX_CHOICES)
		return refused(`has ${options.length} options`, `Use ${MAX_CHOICES} at most`);
	if (options.some(({ length }) => length > MAX_LENGTH.choice))
		return refused('has a long option', `Use ${MAX_LENGTH.choice} characters at most`);
	return { ...tag, input: { ...input, dropdownOptions: options } };
}

/** @param who what stands behind the longest type, if there is one */
function noTag(
	head: string,
	who: string | undefined,
	recipients: readonly NamedRecipient[],
): Reading {
	if (who === '') return refused('names no recipient', 'Name one, as in [[signature 1]]');
	if (who !== undefined && /^\d+$|@/.test(who))
		return refused(`names "${who.toLowerCase()}", who is no recipient`, useOneOf(recipients));
	const [first = ''] = head.trim().split(/\s/);
	const word = fold(head.includes('@') ? first : withoutHyphens(head));
	const [letters = ''] = /^\D*/.exec(word) ?? [];
	const type = nearestType(letters);
	if (type === undefined) return { kind: 'other' };
	return refused('has no type of field', `Write ${type.toLowerCase()} and a recipient`);
}

/** The type that somebody may have meant who wrote this word. */
function nearestType(word: string): string | undefined {
	const meant = TYPES.find(({ folded }) => {
		const spare = Math.max(0, word.length - folded.length);
		return mostAlike(folded, word).changes + spare <= (folded.length > 6 ? 2 : 1);
	});
	return meant?.folded;
}
