import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { client } from '../../client';
import {
	choices,
	documentLocator,
	options,
	text,
	toggle,
	WithFiles,
	type Item,
} from '../../operation';

export const option = {
	name: 'Download',
	value: 'download',
	action: 'Download document files',
	description:
		'Download the signed PDF, the audit certificate or the original of a document as binary files. Signed PDF and certificate exist once the document is completed.',
};

const variants = choices('variants', 'Files', {
	required: true,
	options: {
		certificate: [
			'Certificate',
			'The audit certificate: who did what and when; available after completion',
		],
		original: ['Original', 'The merged source before anybody signed'],
		signed: ['Signed PDF', 'The sealed PDF with all signatures; available after completion'],
	},
	default: ['signed'],
	description:
		'Which files of the document to fetch, one output item each unless All in One Item is on',
});

const outputField = text('binaryPropertyName', 'Put Output File in Field', {
	required: true,
	mandatory: false,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the file in',
	description: 'The name of the binary field of each output item. Not used with All in One Item.',
});

const inOneItem = options(
	toggle('oneItem', 'All in One Item', {
		description:
			'Whether to output one item with all the files, in binary fields named signed, certificate and original, as the trigger does',
	}),
);

export const description = [documentLocator, variants, outputField, inOneItem];

export const endpoint = 'GET /documents/{id}/files/{variant}';

/** The URL that the service gives is fetched too, for each variant chosen. */
export async function execute(item: Item) {
	const id = item.read(documentLocator);
	const chosen = item.read(variants) ?? [];
	const { oneItem } = item.read(inOneItem);
	const field = (oneItem !== true && item.read(outputField)) || 'data';
	item.check();

	const files: IDataObject[] = [];
	const binaries: IBinaryKeyData = {};
	const outputs: WithFiles[] = [];
	for (const variant of chosen) {
		const request = { path: { id, variant }, itemIndex: item.index };
		const { binary, sizeBytes } = await client.download(item.context, request);
		const file = {
			variant,
			file_name: binary.fileName,
			mime_type: binary.mimeType,
			size_bytes: sizeBytes,
		};
		files.push(file);
		binaries[variant] = binary;
		outputs.push(new WithFiles({ document_id: id, ...file }, { [field]: binary }));
	}
	return oneItem === true ? new WithFiles({ document_id: id, files }, binaries) : outputs;
}
