import { NodeOperationError, type ILoadOptionsFunctions, type INodePropertyOptions } from 'n8n-workflow';
import { apiRequest } from '../transport';
import { chosenId } from './chosen';

/** The roles of the chosen template; each needs a recipient. */
export async function getTemplateRoles(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const id = chosenId(this, 'templateId', 'Template');
	const { roles } = await apiRequest(this, 'GET /templates/{id}', { path: { id } });
	return [...roles]
		.sort((left, right) => left.order - right.order)
		.map(({ role, type }) => ({ name: `${role} (${kindOf(type)})`, value: role }));
}

/** The signer placeholders of the chosen template, for the signers of a public link. */
export async function getTemplatePlaceholders(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const template = chosenId(this, 'templateId', 'Template');
	const { roles } = await apiRequest(this, 'GET /templates/{id}', { path: { id: template } });
	const signers = roles.filter(({ type }) => kindOf(type) !== 'cc');
	const placeholders = signers.flatMap(({ id, role }) => (id ? [{ name: role, value: id }] : []));
	if (signers.length > 0 && placeholders.length === 0) {
		throw new NodeOperationError(this.getNode(), 'The service does not list the placeholder IDs of this template', {
			description: 'Give the placeholder ID as an expression; it is shown with the template in the web application.',
		});
	}
	return placeholders;
}

/** SIGNER and CC are the types seen; others may exist (docs/service.md section 2). */
function kindOf(type: string): string {
	return type.toLowerCase();
}
