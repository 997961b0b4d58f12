import type { IRun, Workflow } from 'n8n-workflow';
import type { N8n } from '../../support/n8nCore/n8n';

/** Retries it in an n8n that may have been told more by then. */
export async function retryIn(
	worker: N8n,
	workflow: Workflow,
	run: IRun,
	lost?: 'killed',
): Promise<IRun> {
	const { id, nodes, connectionsBySourceNode: connections } = workflow;
	const same = worker.workflow(Object.values(nodes), { id, connections });
	return await worker.retry(same, run, { lost });
}
