import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { digest } from './fingerprint';
import { itemAt } from './once';

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

/** The same for a step that replaces what it has done before: it is repeated when something else is asked than the last time. */
export async function onceAsAsked<Result extends object>(
	context: IExecuteFunctions,
	itemIndex: number,
	step: unknown[],
	asked: unknown[],
	effect: () => Promise<Result>,
): Promise<Result> {
	const steps = stepsOf(context, itemIndex);
	const key = digest(step);
	const fingerprint = digest(asked);
	if (steps[key]?.asked === fingerprint) return structuredClone(steps[key].result) as unknown as Result;
	// While it is under way, and if it fails, nobody knows which of the two is there.
	steps[key] = {};
	const result = await effect();
	steps[key] = { asked: fingerprint, result: structuredClone(result) as unknown as IDataObject };
	return result;
}

/** Whether an earlier try of the item has done this step. */
export function isStepDone(context: IExecuteFunctions, itemIndex: number, step: unknown[]): boolean {
	return stepsOf(context, itemIndex)[digest(step)] !== undefined;
}

/** Notes a step without an effect of its own, in place of what was noted before. */
export function noteStep(context: IExecuteFunctions, itemIndex: number, step: unknown[], result: IDataObject): void {
	stepsOf(context, itemIndex)[digest(step)] = result;
}

/** What was noted of a step. */
export function noteOf(context: IExecuteFunctions, itemIndex: number, step: unknown[]): IDataObject | undefined {
	return stepsOf(context, itemIndex)[digest(step)];
}

/**
 * Stands for what a person asks for by this try: the parameters as they stand in the node, and the variables. Where it is the
 * same as at another try, only expressions such as `$now` can resolve to something else.
 */
export function askedByPerson(context: IExecuteFunctions, itemIndex: number): string | undefined {
	return itemAt(context, itemIndex).asked;
}

/**
 * Whether an item that has made something else than what is asked for now is to begin anew: only a person who was told of it
 * runs it again, in another execution. If so, its steps are forgotten; if not, the caller tells.
 */
export function beginsAnew(context: IExecuteFunctions, itemIndex: number): boolean {
	const { item } = itemAt(context, itemIndex);
	if (!item) return false;
	const execution = context.getExecutionId();
	if (item.toldTo === undefined || item.toldTo === execution) {
		item.toldTo = execution;
		return false;
	}
	item.steps = {};
	delete item.toldTo;
	return true;
}

function stepsOf(context: IExecuteFunctions, itemIndex: number): Record<string, IDataObject> {
	return itemAt(context, itemIndex).item?.steps ?? {};
}
