import type { IBinaryData, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { apiRequest, downloadFile } from '../../client';
import { readChoices } from '../../parameters/checks/choices';
import { givenParameter } from '../../parameters/checks/given';
import { documentLocator, idParameter } from '../../parameters/locators';
import type { OperationOption } from '../operation';
import { Problems } from '../../parameters/checks/problems';
import { checkObject, type PropertyRules } from '../../parameters/checks/rules';
import { fileNameOf } from '../../service/fileNames';

export const option = {
	name: 'Download',
	value: 'download',
	action: 'Download document files',
	description:
		'Download the signed PDF, the audit certificate or the original of a document as binary files. Signed PDF and certificate exist once the document is completed.',
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
	description: 'Which files of the document to fetch, one output item each unless All in One Item is on',
};

const outputField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field of each output item. Not used with All in One Item.',
};

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	options: [
		{
			displayName: 'All in One Item',
			name: 'oneItem',
			type: 'boolean',
			default: false,
			description:
				'Whether to output one item with all the files, in binary fields named signed, certificate and original, as the trigger does',
		},
	],
};

export const description: INodeProperties[] = [documentLocator, variants, outputField, options];

type FileFacts = { variant: string; file_name?: string; mime_type: string; size_bytes: number };

/** GET /documents/{id}/files/{variant}, then the URL it gives, for each variant chosen. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const id = idParameter(this, itemIndex, documentLocator);
	const problems = new Problems();
	const chosen = readChoices(this, itemIndex, variants, problems);
	const given = givenParameter(this, itemIndex, options.name);
	const rules: PropertyRules = { oneItem: { label: 'All in One Item', type: 'boolean' } };
	const { oneItem } = checkObject(given, rules, { label: options.displayName, json: false }, problems);
	problems.throwIfAny(this, itemIndex);
	const property = String(this.getNodeParameter(outputField.name, itemIndex) ?? '').trim() || 'data';

	const files: FileFacts[] = [];
	const binaries: IBinaryData[] = [];
	for (const variant of chosen) {
		const { url } = await apiRequest(this, 'GET /documents/{id}/files/{variant}', { path: { id, variant }, itemIndex });
		const { binary, ...file } = await downloadFile(this, url, fileNameOf(id, variant), itemIndex);
		files.push({ variant, file_name: file.fileName, mime_type: file.mimeType, size_bytes: file.sizeBytes });
		binaries.push(binary);
	}
	if (oneItem !== true) {
		return files.map((file, index) => ({
			json: { document_id: id, ...file },
			binary: { [property]: binaries[index] as IBinaryData },
		}));
	}
	const named = files.map(({ variant }, index) => [variant, binaries[index] as IBinaryData] as const);
	return [{ json: { document_id: id, files }, binary: Object.fromEntries(named) }];
}
