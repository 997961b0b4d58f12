import type { IBinaryData } from 'n8n-workflow';
import { describe, onlyOf } from './checks/parameterValue';
import { checkText, kind, listOf } from './declare';
import type { Check } from './value';

/**
 * A file as a parameter gives it: the name of a field of the input item, or the file itself, which
 * n8n's tip below the parameter advises for files of earlier nodes.
 */
export type GivenFile = string | IBinaryData;

const EXAMPLE = "a file such as {{ $('Form').item.binary.contract }}";

/** What n8n's helpers take for a file: its content, or the ID under which n8n keeps it. */
export function isFile(value: unknown): value is IBinaryData {
	if (!isAboutFile(value)) return false;
	const { data, id } = value;
	return typeof data === 'string' || (data === undefined && typeof id === 'string');
}

function isAboutFile(value: unknown): value is Partial<IBinaryData> {
	return typeof value === 'object' && value !== null && 'mimeType' in value;
}

const checkFile: Check<GivenFile> = (given, ...asked) => {
	const [, refuse] = asked;
	const value = onlyOf(given);
	if (isFile(value)) return value;
	if (isAboutFile(value)) {
		// $binary leaves the content out where n8n keeps it within the item.
		const remedy = `Enter the name of the field instead, or ${EXAMPLE}`;
		return refuse('describes a file without its content', remedy);
	}
	if (typeof value === 'object') {
		const remedy = `Enter the name of an input field, or ${EXAMPLE}`;
		return refuse(`is ${describe(value)}, neither a file nor the name of a field`, remedy);
	}
	return checkText(false)(value, ...asked);
};

/** One file. */
export const file = kind({ type: 'string' }, checkFile);

/** Files as a list, or the names of their fields with commas between. */
export const files = kind({ type: 'string' }, listOf(checkFile));
