import { labelOf } from '../../service/names';

/** Paths below this one are named by the workspace, not by the service. */
const KEYED_BY_THE_USER = 'field_values';

/**
 * The path of a bad value in the words of the forms: `recipients.0.email` becomes `Recipients,
 * entry 1: Email`.
 */
export function fieldLabel(path: string): string {
	// Both `fields.0.xNorm` and `fields[0].xNorm` or `/fields/0/xNorm` name the same value.
	const parts = path.split(/[./[\]]+/).filter((part) => part !== '');
	const words: string[] = [];
	parts.forEach((part, index) => {
		const last = words.length - 1;
		if (/^\d+$/.test(part) && last >= 0) words[last] = `${words[last]}, entry ${Number(part) + 1}`;
		else words.push(parts[index - 1] === KEYED_BY_THE_USER ? part : labelOf(part));
	});
	return words.join(': ');
}
