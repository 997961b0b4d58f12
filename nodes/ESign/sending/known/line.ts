import { randomUUID } from 'crypto';
import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';
import { client, fingerprint } from '../../client';

/** The executions that were retried from each other. */
export interface Line {
	/** The same in all of them, also where n8n has saved nothing of a node that was killed. */
	id: string;
	/**
	 * When the first of them began, in milliseconds since the epoch by the computer's clock.
	 * Undefined in a retry of an execution of which n8n has not even saved that.
	 */
	beganAt?: number;
}

/** Whether this execution was retried from another. */
export function isRetry(context: IExecuteFunctions): boolean {
	return context.getMode() === 'retry';
}

/** Which executions belong together is known by the workflow and the moment at which they began. */
export function lineOf(context: IExecuteFunctions): Line {
	const beganAt = beginningOf(context);
	if (beganAt !== undefined)
		return { id: fingerprint([context.getWorkflow().id, beganAt]), beganAt };
	const now = client.moment().wallClock;
	return { id: randomUUID(), beganAt: isRetry(context) ? undefined : now };
}

function beginningOf(context: IExecuteFunctions): number | undefined {
	if (!('runExecutionData' in context)) return undefined;
	const data = context.runExecutionData as IRunExecutionData | null;
	const { establishedAt, source } = data?.executionData?.runtimeData ?? {};
	// n8n 2 saves when an execution began, and hands it on to its retries.
	if (establishedAt !== undefined && source !== 'retry') return establishedAt;
	const first = firstNodeOf(data);
	// n8n 1.x: what it says of a retry is the retry's own beginning. So are all its nodes, where it
	// has saved none of the execution that is retried.
	const isOwn = source === 'retry' && first !== undefined && first >= (establishedAt ?? 0);
	return isOwn ? undefined : first;
}

/** n8n 1.x: when the first node of the execution ran, as far as that is saved. */
function firstNodeOf(data: IRunExecutionData | null): number | undefined {
	const tasks = Object.values(data?.resultData.runData ?? {}).flat();
	const first = Math.min(...tasks.map(({ startTime }) => startTime));
	// What n8n has recovered of an execution that has crashed is in seconds: it names no line.
	return first > 1e11 && first < Infinity ? first : undefined;
}
