import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { uploadFile } from '../../client';
import { DEFAULT_FIELD, readBinaryFile } from '../../parameters/binaryFile';
import type { OperationOption } from '../operation';
import { outputItems } from '../outputItems';
import { givenParameter } from '../../parameters/checks/given';
import { Problems } from '../../parameters/checks/problems';
import { checkValue, type PropertyRule } from '../../parameters/checks/rules';

export const option = {
	name: 'Upload',
	value: 'upload',
	action: 'Upload file',
	description:
		'Upload a PDF, DOCX, DOC, PNG or JPEG file of up to 25 MB and get its file ID. Not needed before a document is created, which uploads by itself; useful when several documents are made from one file.',
} as const satisfies OperationOption;

export const once = true;

const binaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: DEFAULT_FIELD,
	placeholder: 'e.g. data',
	hint: 'The name of the input field containing the file to upload',
	description: 'The name of the binary field that holds the file. PDF, DOCX, DOC, PNG and JPEG are accepted.',
};

export const description: INodeProperties[] = [binaryField];

/** POST /files; the same bytes and name are uploaded once in an execution. */
export async function execute(this: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
	const problems = new Problems();
	const rule: PropertyRule = { label: binaryField.displayName, type: 'string', required: true };
	const given = givenParameter(this, itemIndex, binaryField.name);
	const property = String(checkValue(given, rule, binaryField.displayName, problems));
	problems.throwIfAny(this, itemIndex);
	const file = await readBinaryFile(this, itemIndex, property, binaryField.displayName);
	return outputItems(await uploadFile(this, { ...file, itemIndex }));
}
