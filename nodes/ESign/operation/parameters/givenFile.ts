import type { IBinaryData } from 'n8n-workflow';
import { isObject } from '../../client';
import { describe, onlyOf } from './checks/parameterValue';
import { checkText, kind, listOf } from './declare';
import type { Check } from './value';

/**
 * A file as a parameter gives it: the name of a field of the input item, or the file itself, which
 * n8n's tip below the parameter advises for files of earlier nodes.
 */
export type GivenFile = string | IBinaryData;

/**
 * What n8n's helpers take for a file: its content, or the ID under which n8n keeps it. `$binary`
 * gives neither where n8n keeps the content within the item.
 */
export function isFile(value: unknown): value is IBinaryData {
	if (!isObject(value) || !('mimeType' in value)) return false;
	const { data, id } = value;
	return typeof data === 'string' || (data === undefined && typeof id === 'string');
}

const checkFile: Check<GivenFile> = (given, ...asked) => {
	const [, refuse] = asked;
	const value = onlyOf(given);
	if (isFile(value)) return value;
	if (typeof value === 'object') {
		const remedy =
			"Enter the name of an input field, or a file such as {{ $('Form').item.binary.contract }}";
		return refuse(`is ${describe(value)}, neither a file nor the name of a field`, remedy);
	}
	return checkText(false)(value, ...asked);
};

/** One file. */
export const file = kind({ type: 'string' }, checkFile);

/** Files as a list, or the names of their fields with commas between. */
export const files = kind({ type: 'string' }, listOf(checkFile));
