import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { digest } from './fingerprint';
import { requestAt } from './memory';
import { isRefusal, isUnsent } from './outcomes';
import { asThrown } from '../../transport';

/**
 * A step of a composite operation that is not to be repeated when the item is tried again.
 *
 * @param step its name, with what tells it from other steps of the item
 */
export async function onceInItem<Result extends object>(
	context: IExecuteFunctions,
	itemIndex: number,
	step: unknown[],
	effect: () => Promise<Result>,
): Promise<Result> {
	const steps = stepsOf(context, itemIndex);
	const key = digest(step);
	if (steps[key]) return structuredClone(steps[key]) as unknown as Result;
	const result = await effect();
	steps[key] = structuredClone(result) as unknown as IDataObject;
	return result;
}

/** Whether an earlier try of the item has done this step. */
export function isStepDone(context: IExecuteFunctions, itemIndex: number, step: unknown[]): boolean {
	return stepsOf(context, itemIndex)[digest(step)] !== undefined;
}

/**
 * A step whose failure may leave it done: a later try, in another process too, is told of that.
 *
 * @param made what there may be once it has begun, in a sentence: see `noteMade`
 */
export async function perhapsDone<Result>(
	context: IExecuteFunctions,
	itemIndex: number,
	step: unknown[],
	made: string,
	effect: (mayBeDone: boolean) => Promise<Result>,
): Promise<Result> {
	const request = requestAt(context, itemIndex);
	if (!request) return await effect(false);
	const key = digest(step);
	const { made: madeBefore } = request;
	const mayBeDone = request.steps[key] !== undefined;
	request.steps[key] = {};
	request.made = made;
	try {
		return await effect(mayBeDone);
	} catch (error) {
		if (!mayBeDone && (isRefusal(error) || isUnsent(error))) {
			delete request.steps[key];
			request.made = madeBefore;
		}
		throw asThrown(error);
	}
}

/** Says in a sentence what the steps have made so far, for whoever corrects the item before it is tried again. */
export function noteMade(context: IExecuteFunctions, itemIndex: number, made: string): void {
	const request = requestAt(context, itemIndex);
	if (request) request.made = made;
}

function stepsOf(context: IExecuteFunctions, itemIndex: number): Record<string, IDataObject> {
	return requestAt(context, itemIndex)?.steps ?? {};
}
