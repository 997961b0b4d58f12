import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { givenParameter } from './checks/given';
import { Problems } from './checks/problems';
import { checkValue } from './checks/rules';

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Whether the fields that people work with are enough. */
export function wantsSimple(context: IExecuteFunctions, itemIndex: number): boolean {
	const problems = new Problems();
	const given = givenParameter(context, itemIndex, simplify.name);
	const wanted = checkValue(given, { label: simplify.displayName, type: 'boolean' }, simplify.displayName, problems);
	problems.throwIfAny(context, itemIndex);
	return wanted !== false;
}
