import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest, downloadFile } from '../../transport';
import { readChoices } from '../parameters/choices';
import { documentLocator, idParameter } from '../parameters/locators';
import type { OperationOption } from '../operation';
import { Problems } from '../parameters/problems';

export const option = {
	name: 'Download',
	value: 'download',
	action: 'Download document files',
	description:
		'Fetch the signed PDF, the audit certificate or the original of a document as binary files, one output item per file. Signed PDF and certificate exist once the document is completed.',
} as const satisfies OperationOption;

const variants: INodeProperties = {
	displayName: 'Files',
	name: 'variants',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: 'Certificate',
			value: 'certificate',
			description: 'The audit certificate: who did what and when; available after completion',
		},
		{ name: 'Original', value: 'original', description: 'The merged source before anybody signed' },
		{ name: 'Signed', value: 'signed', description: 'The sealed PDF with all signatures; available after completion' },
	],
	default: ['signed'],
	description: 'Which files of the document to fetch, one output item each',
};

const outputField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field of each output item',
};

export const description: INodeProperties[] = [documentLocator, variants, outputField];

/** GET /documents/{id}/files/{variant}, then the URL it gives, for each variant chosen. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, documentLocator);
	const problems = new Problems();
	const chosen = readChoices(this, itemIndex, variants, problems);
	problems.throwIfAny(this, itemIndex);
	const property = String(this.getNodeParameter(outputField.name, itemIndex) ?? '').trim() || 'data';

	const items: INodeExecutionData[] = [];
	for (const variant of chosen) {
		const { url } = await apiRequest(this, 'GET /documents/{id}/files/{variant}', { path: { id, variant }, itemIndex });
		const file = await downloadFile(this, url, `${id}-${variant}.pdf`, itemIndex);
		items.push({
			json: {
				document_id: id,
				variant,
				file_name: file.fileName,
				mime_type: file.mimeType,
				size_bytes: file.sizeBytes,
			},
			binary: { [property]: file.binary },
		});
	}
	return items;
}
