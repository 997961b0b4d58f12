import { client } from '../../client';
import { DEFAULT_FIELD, readBinaryFile, text, type Item } from '../../operation/parameters';

export const option = {
	name: 'Upload',
	value: 'upload',
	action: 'Upload file',
	description:
		'Upload a PDF, DOCX, DOC, PNG or JPEG file of up to 25 MB and get its file ID. Not needed before a document is created, which uploads by itself; useful when several documents are made from one file.',
};

const binaryField = text('binaryPropertyName', 'Input Binary Field', {
	required: true,
	default: DEFAULT_FIELD,
	placeholder: 'e.g. data',
	hint: 'The name of the input field containing the file to upload',
	description:
		'The name of the binary field that holds the file. PDF, DOCX, DOC, PNG and JPEG are accepted.',
});

export const description = [binaryField];

export const endpoint = 'POST /files';

/** The same bytes and name are uploaded once in an execution. */
export async function execute(item: Item) {
	const field = String(item.read(binaryField));
	item.check();
	const file = await readBinaryFile(item, field, binaryField.label);
	return await client.upload(item.context, { ...file, itemIndex: item.index });
}
