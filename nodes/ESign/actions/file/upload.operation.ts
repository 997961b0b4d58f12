import { DEFAULT_FIELD, file, readBinaryFile, type Item } from '../../operation';
import { uploadFile } from './uploads';

export const option = {
	name: 'Upload',
	value: 'upload',
	action: 'Upload file',
	description:
		'Upload a PDF, DOCX, DOC, PNG or JPEG file of up to 25 MB and get its file ID. Only needed to make several documents from one file.',
};

const binaryField = file('binaryPropertyName', 'Input Binary Field', {
	required: true,
	default: DEFAULT_FIELD,
	placeholder: 'e.g. data',
	hint: 'The name of the input field containing the file to upload; the only file of an item is found anyway',
	description:
		'The name of the binary field that holds the file, or an expression that gives the file of an earlier node. PDF, DOCX, DOC, PNG and JPEG are accepted.',
});

export const description = [binaryField];

export const endpoint = 'POST /files';

/** The same bytes and name are uploaded once in an execution. */
export async function execute(item: Item) {
	const given = item.read(binaryField) ?? DEFAULT_FIELD;
	item.check();
	const read = await readBinaryFile(item, given, binaryField.label);
	return await uploadFile(item, read);
}
