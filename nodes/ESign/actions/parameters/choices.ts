import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import type { Problems } from './problems';

/** What is chosen in a list of several, each once. Nothing, or anything that is not on the list, is a problem. */
export function readChoices(
	context: IExecuteFunctions,
	itemIndex: number,
	{ name, displayName, options = [] }: INodeProperties,
	problems: Problems,
): string[] {
	const given: unknown[] = [context.getNodeParameter(name, itemIndex)].flat();
	const chosen = given.filter((value) => value !== undefined && value !== null && value !== '').map(String);
	const known = options.map((option) => ('value' in option ? String(option.value) : ''));
	const unknown = chosen.filter((value) => !known.includes(value));
	if (chosen.length === 0) problems.add(displayName, 'nothing is chosen', `Choose at least one of ${known.join(', ')}`);
	if (unknown.length > 0) {
		problems.add(displayName, `"${unknown.join('", "')}" is not one of its values`, `Use ${known.join(', ')}`);
	}
	return [...new Set(chosen)];
}
