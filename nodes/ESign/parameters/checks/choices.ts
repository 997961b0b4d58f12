import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { givenParameter, isNothing } from './given';
import type { Problems } from './problems';
import { describe } from './values';

/** What is chosen in a list of several, each once. Nothing, or anything that is not on the list, is a problem. */
export function readChoices(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName, options = [] }: INodeProperties,
	problems: Problems,
): string[] {
	const given: unknown[] = [givenParameter(context, itemIndex, name).value].flat();
	const chosen = given
		.filter((value) => !isNothing(value))
		.map((value) => (typeof value === 'string' ? value : describe(value)));
	const known = options.map((option) => ('value' in option ? String(option.value) : ''));
	const unknown = chosen.filter((value) => !known.includes(value));
	if (chosen.length === 0) problems.add(displayName, 'nothing is chosen', `Choose at least one of ${known.join(', ')}`);
	if (unknown.length > 0) {
		problems.add(displayName, `"${unknown.join('", "')}" is not one of its values`, `Use ${known.join(', ')}`);
	}
	return [...new Set(chosen)];
}
