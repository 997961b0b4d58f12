import {
	NodeOperationError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { inOrder } from '../actions/template/templateFields';
import { chosenId } from './chosen';
import { lookUp, unlessUsedUp } from './lookUp';

/** The signer placeholders of the chosen template, for the signers of a public link. */
export async function getTemplatePlaceholders(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const id = chosenId(this, 'templateId');
	const inRows = () => valuesOfRows(this, 'signers', 'signer', 'placeholderId');
	return id === undefined ? inRows() : await unlessUsedUp(placeholdersOf(this, id), inRows);
}

async function placeholdersOf(context: ILoadOptionsFunctions, id: string): Promise<INodePropertyOptions[]> {
	const { roles } = await lookUp(context, 'GET /templates/{id}', { path: { id } });
	const signers = inOrder(roles).filter(({ type }) => kindOf(type) !== 'cc');
	const placeholders = signers.flatMap(({ id, role, type }) =>
		id ? [{ name: `${role} (${kindOf(type)})`, value: id }] : [],
	);
	if (signers.length > 0 && placeholders.length === 0) {
		throw new NodeOperationError(context.getNode(), 'The service does not list the placeholder IDs of this template', {
			description: 'Enter the placeholder ID as an expression; it is shown with the template in the web application.',
		});
	}
	return placeholders;
}

/** Those whom a field can name: the recipients of the form above, or of the draft whose fields are replaced. */
export async function getFieldRecipients(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	// Create makes its document; Update Fields has one already.
	if (this.getCurrentNodeParameter('operation') === 'updateFields') {
		const id = chosenId(this, 'documentId');
		const inRows = () => valuesOfRows(this, 'fields', 'field', 'recipient');
		return id === undefined ? inRows() : await unlessUsedUp(recipientsOf(this, id), inRows);
	}
	const form = this.getCurrentNodeParameter('recipients') as { recipient?: IDataObject[] } | undefined;
	// An address that is an expression is known only when the workflow runs: the position stands for it.
	return (form?.recipient ?? []).map(({ name, email, type }, index) => {
		const address = String(email ?? '').trim();
		const isKnown = address !== '' && !address.startsWith('=');
		const label = isKnown ? `${String(name ?? '')} <${address}>`.trim() : `Recipient ${index + 1}`;
		return { name: type === 'cc' ? `${label} (CC)` : label, value: isKnown ? address : String(index + 1) };
	});
}

async function recipientsOf(context: ILoadOptionsFunctions, id: string): Promise<INodePropertyOptions[]> {
	const { recipients } = await lookUp(context, 'GET /documents/{id}', { path: { id } });
	return recipients.map(({ name, email }) => ({ name: `${name} <${email}>`, value: email }));
}

/**
 * What the rows of a list hold already, as the choices while nothing is chosen or can be read. The editor marks a value in red that is
 * none of the choices, and takes it out of the form when another credential is chosen.
 */
function valuesOfRows(
	context: ILoadOptionsFunctions,
	list: string,
	row: string,
	parameter: string,
): INodePropertyOptions[] {
	const form = context.getCurrentNodeParameter(list) as Record<string, IDataObject[] | undefined> | undefined;
	const values = (form?.[row] ?? []).map(({ [parameter]: value }) => value);
	const chosen = values.filter((value) => typeof value === 'string' && value !== '') as string[];
	return [...new Set(chosen)].map((value) => ({ name: value, value }));
}

/** SIGNER and CC are the types seen; others may exist (docs/service.md section 2). */
function kindOf(type: string): string {
	return type.toLowerCase();
}
