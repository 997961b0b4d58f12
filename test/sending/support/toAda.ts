import type { INodeParameters } from 'n8n-workflow';
import { byId } from '../../actions/support/workbench';
import type { LossyService } from './lossyService';

/** Sends a template of its own to the same person; without a title all are alike. */
export async function toAda(service: LossyService, title?: string): Promise<INodeParameters> {
	return {
		resource: 'template',
		operation: 'send',
		templateId: byId(await service.bareTemplate()),
		recipientsInput: 'json',
		recipientsJson: '={{ [{ role: "Signer", name: "Ada", email: "ada@example.com" }] }}',
		additionalFields: title === undefined ? {} : { title },
	};
}
