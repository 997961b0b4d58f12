import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** What a user is told about fields whose values do not end up in the document. The service itself says nothing. */
const WORDS = {
	open: (keys: string) => `Left to the signer, because the expression found nothing: ${keys}`,
	unknown: (keys: string) =>
		`The editor does not know these fields of the template, and the service ignores values of fields that do not exist: ${keys}`,
};

type Note = { keys: Set<string>; hint: NodeExecutionHint };

const notes = new WeakMap<IExecuteFunctions, Partial<Record<keyof typeof WORDS, Note>>>();

/** Tells of a field below the output of the node, once for all items. */
export function fieldHint(context: IExecuteFunctions, why: keyof typeof WORDS, key: string): void {
	const noted = notes.get(context) ?? {};
	notes.set(context, noted);
	const first = noted[why] === undefined;
	const note = (noted[why] ??= { keys: new Set(), hint: { message: '', type: 'warning', location: 'outputPane' } });
	note.keys.add(key);
	// n8n reads the hints when the node is through: the one already given grows with the fields.
	note.hint.message = `Field Values. ${WORDS[why]([...note.keys].join(', '))}`;
	if (first) context.addExecutionHints(note.hint);
}
