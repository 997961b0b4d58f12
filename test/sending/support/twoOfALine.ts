import { createAndSend, TYPE } from '../../actions/support/workbench';
import { DOCUMENTS, REFUSED, SEND } from './losses';
import { numbered, type LossyService } from './lossyService';

/** A contract of a workflow. */
export const contractOf = (title: string) => ({
	workflowId: 'W',
	parameters: createAndSend(title),
});

/** An execution without a draft, and a retry of it, under another title, that has left one. */
export async function twoOfALine(service: LossyService, title: string, retitled: string) {
	service.lose('POST', DOCUMENTS, REFUSED);
	service.lose('POST', SEND, REFUSED);
	const options = { ...contractOf(title), items: await numbered(1) };
	const older = await service.n8n.runNode(TYPE, options);
	const newer = await service.n8n.retryNode(TYPE, older, contractOf(retitled));
	await expect(service.statuses()).resolves.toEqual(['draft']);
	return { older, newer };
}
