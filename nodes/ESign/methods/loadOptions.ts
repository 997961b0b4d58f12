import { NodeOperationError, type IDataObject, type ILoadOptionsFunctions } from 'n8n-workflow';
import { inOrder, isSigner } from '../actions/template/templateFields';
import { lookUpChosen } from './lookUp';

export async function getTemplatePlaceholders(this: ILoadOptionsFunctions) {
	const { found } = await lookUpChosen(this, 'templateId', 'GET /templates/{id}');
	if (!found) return inRows(this, 'signers', 'signer', 'placeholderId');
	const signers = inOrder(found.roles).filter(isSigner);
	const placeholders = signers.flatMap(({ id: value, role, type }) =>
		value ? [{ name: `${role} (${type.toLowerCase()})`, value }] : [],
	);
	if (signers.length === 0 || placeholders.length > 0) return placeholders;
	throw new NodeOperationError(
		this.getNode(),
		'The service does not list the placeholder IDs of this template',
		{
			description:
				'Enter the placeholder ID as an expression; it is shown with the template in the web application.',
		},
	);
}

/**
 * Those whom a field can name: the recipients of the form above, or of the draft whose fields are
 * replaced.
 */
export async function getFieldRecipients(this: ILoadOptionsFunctions) {
	if (this.getCurrentNodeParameter('operation') === 'updateFields') {
		const { found } = await lookUpChosen(this, 'documentId', 'GET /documents/{id}');
		if (!found) return inRows(this, 'fields', 'field', 'recipient');
		return found.recipients.map(({ name, email }) => ({
			name: `${name} <${email}>`,
			value: email,
		}));
	}
	const form = this.getCurrentNodeParameter('recipients') as
		{ recipient?: IDataObject[] } | undefined;
	// An address that is an expression is known only when the workflow runs: the position stands for
	// it.
	return (form?.recipient ?? []).map(({ name, email, type }, index) => {
		const address = String(email ?? '').trim();
		const isKnown = address !== '' && !address.startsWith('=');
		const label = isKnown ? `${String(name ?? '')} <${address}>`.trim() : `Recipient ${index + 1}`;
		return {
			name: type === 'cc' ? `${label} (CC)` : label,
			value: isKnown ? address : String(index + 1),
		};
	});
}

/**
 * What stands in a column already: the editor marks what is no choice in red, and drops it with
 * another credential.
 */
function inRows(context: ILoadOptionsFunctions, list: string, row: string, column: string) {
	const form = context.getCurrentNodeParameter(list) as
		Record<string, IDataObject[] | undefined> | undefined;
	const chosen = new Set((form?.[row] ?? []).map(({ [column]: value }) => value));
	return [...chosen].flatMap((value) =>
		typeof value === 'string' && value ? [{ name: value, value }] : [],
	);
}
