import type { NodeRun } from '../../support/n8nCore/n8n';

/** What n8n shows of an error: the headline, and what stands below it. */
export function said(error: NodeRun['error']): string {
	return `${String(error?.message)}. ${String(error?.description)}`;
}
