import { setTimeout as pause } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { itemsOf } from '../../e2e/support/nodes';
import type { Execution } from '../../support/n8nServer/apiClient';
import type { N8nServer } from '../../support/n8nServer/server';
import { TRIGGER_NODE, WEBHOOK_NODE, WORK_NODE, type WorkflowName } from '../setting/workflows';

/** What the soak reads of an execution of n8n. */
export interface Ran {
	id: string;
	workflow: WorkflowName;
	status: string;
	startedAt: number;
	stoppedAt: number;
	/** The number of the job that asked for it. */
	job?: number;
	/** The event that started it. */
	eventId?: string;
	/** What the eSign node put out. */
	output: IDataObject[];
	binaries: number;
	error?: Failure;
}

/** Why an execution failed, in the words that its user reads. */
export interface Failure {
	message: string;
	description: string;
	httpCode: string;
	/** Which of its items failed. */
	itemIndex: number;
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** The executions that n8n has not finished. */
async function unfinished(n8n: N8nServer, workflows: Record<string, string>): Promise<string[]> {
	const left: string[] = [];
	for (const [name, workflowId] of Object.entries(workflows)) {
		const listed = await n8n.api.executions(workflowId);
		left.push(
			...listed
				.filter(({ status }) => UNFINISHED.includes(status))
				.map(({ id, status }) => `${name} ${id} ${status}`),
		);
	}
	return left;
}

/**
 * Waits until n8n has nothing left to do.
 *
 * @returns what is unfinished after that time
 */
export async function settled(
	n8n: N8nServer,
	workflows: Record<string, string>,
	patienceMs: number,
): Promise<string[]> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		const left = await unfinished(n8n, workflows);
		if (left.length === 0 || Date.now() > deadline) return left;
		await pause(2_000);
	}
}

/** Every execution of these workflows, oldest first. */
export async function readExecutions(
	n8n: N8nServer,
	workflows: Record<WorkflowName, string>,
): Promise<Ran[]> {
	const all: Ran[] = [];
	for (const [name, workflowId] of Object.entries(workflows) as Array<[WorkflowName, string]>) {
		for (const { id, startedAt, stoppedAt } of await n8n.api.executions(workflowId)) {
			const execution = await n8n.api.execution(id);
			all.push({
				...whatItDid(execution),
				id,
				workflow: name,
				startedAt: Date.parse(startedAt ?? ''),
				stoppedAt: Date.parse(stoppedAt ?? ''),
			});
		}
	}
	return all.sort((a, b) => Number(a.id) - Number(b.id));
}

function whatItDid(
	execution: Execution,
): Pick<Ran, 'status' | 'job' | 'eventId' | 'output' | 'binaries' | 'error'> {
	const { status, data } = execution;
	// A killed n8n leaves what it was started with on the stack, and no results.
	const stack = (data?.executionData?.nodeExecutionStack ?? []).flatMap(
		(entry) => entry.data?.main?.[0] ?? [],
	);
	const started = data?.resultData
		? [WEBHOOK_NODE, TRIGGER_NODE].flatMap((node) => itemsOf(execution, node))
		: [];
	const first: INodeExecutionData | undefined = started[0] ?? stack[0];
	const json = first?.json ?? {};
	const body = (json.body ?? {}) as IDataObject;
	const output = data?.resultData ? itemsOf(execution, WORK_NODE) : [];
	const error = data?.resultData?.error as
		(Partial<Failure> & { context?: { itemIndex?: number } }) | undefined;
	return {
		status,
		...(body.job !== undefined && { job: Number(body.job) }),
		...(typeof json.event === 'string' && { eventId: String(json.id) }),
		output: output.map((item) => item.json),
		binaries: output.filter(({ binary }) => binary?.data !== undefined).length,
		...(error && {
			error: {
				message: error.message ?? '',
				description: error.description ?? '',
				httpCode: String(error.httpCode ?? ''),
				itemIndex: error.context?.itemIndex ?? 0,
			},
		}),
	};
}
