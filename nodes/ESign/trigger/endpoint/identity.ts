import type { FunctionsBase } from 'n8n-workflow';
import type { HeldEndpoint } from './state';

type Identified = Pick<FunctionsBase, 'getInstanceId' | 'getWorkflow' | 'getNode'>;

/**
 * Who owns an endpoint: this node of this workflow in this n8n. It survives a rename; a copy, an import or a clone of the
 * database into another n8n gets another, and so leaves the original's endpoint alone.
 */
export function ownerOf(context: Identified): string {
	return [context.getInstanceId(), context.getWorkflow().id, context.getNode().id].join('/');
}

/** Key of the trigger's memory in this process. Every test listener has its own: the user may replay the same event to each. */
export function memoryKeyOf(context: Identified, held: HeldEndpoint | undefined): string {
	return held?.test ? held.id : ownerOf(context);
}

/** What identifies the trigger in a log line. */
export function logFieldsOf(context: Identified): { workflowId?: string; nodeName: string } {
	return { workflowId: context.getWorkflow().id, nodeName: context.getNode().name };
}
