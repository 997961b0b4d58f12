import type { IBinaryData } from 'n8n-workflow';
import { describe, isNothing, onlyOf } from './checks/parameterValue';
import { isSendable } from './checks/text';
import { kind, partsOf } from './declare';
import type { Check } from './value';

/**
 * A file as a parameter gives it: the name of a field of the input item, or the file itself, which
 * n8n's tip below the parameter advises for files of earlier nodes.
 */
export type GivenFile = string | IBinaryData;

const EXAMPLE = "a file such as {{ $('Form').item.binary.contract }}";
const LEFT_OUT = 'Correct the expression, or leave the entry out with .filter(Boolean)';

/** What n8n's helpers take for a file: its content, or the ID under which n8n keeps it. */
export function isFile(value: unknown): value is IBinaryData {
	if (!isAboutFile(value)) return false;
	const { data, id } = value;
	return typeof data === 'string' || (data === undefined && typeof id === 'string');
}

function isAboutFile(value: unknown): value is Partial<IBinaryData> {
	return typeof value === 'object' && value !== null && 'mimeType' in value;
}

const checkFile: Check<GivenFile> = (given, _, refuse) => {
	const value = onlyOf(given);
	if (isFile(value)) return value;
	if (isAboutFile(value)) {
		// $binary leaves the content out where n8n keeps it within the item.
		const remedy = `Enter the name of the field instead, or ${EXAMPLE}`;
		return refuse('describes a file without its content', remedy);
	}
	if (!['string', 'number', 'boolean'].includes(typeof value) || Number.isNaN(value)) {
		const remedy = `Enter the name of an input field, or ${EXAMPLE}`;
		return refuse(`is ${describe(value)}, neither a file nor the name of a field`, remedy);
	}
	const name = String(value).trim();
	return isSendable(name, refuse) ? name : undefined;
};

/**
 * | given                                   | found                      |
 * | `data, annex`                           | data, annex                |
 * | `['data', file]`                        | data, the file             |
 * | `[[file, file], 'data']`                | both files, data           |
 * | `data,,`                                | data                       |
 * | `[file, undefined]`                     | refused: a file is missing |
 */
const checkFiles: Check<GivenFile[]> = (given, rule, refuse, timezone) => {
	const parts = typeof given === 'string' ? partsOf(given) : [given].flat(2);
	const isList = Array.isArray(given);
	const found: GivenFile[] = [];

	for (const [index, part] of parts.entries()) {
		if (isNothing(part)) {
			if (isList) return refuse(`has nothing as entry ${index + 1} of its list`, LEFT_OUT);
			continue;
		}

		const file = checkFile(part, rule, refuse, timezone);
		if (file === undefined) return undefined;
		found.push(file);
	}

	const { items = Infinity } = rule;
	if (found.length > items) return refuse(`has ${found.length} entries`, `Use ${items} at most`);
	return found.length > 0 ? found : undefined;
};

/** One file. */
export const file = kind({ type: 'string' }, checkFile);

/** Files as a list, or the names of their fields with commas between. */
export const files = kind({ type: 'string' }, checkFiles);
