import type { IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { asThrown, client, readCallFailure, runOf, type FileVariant } from '../client';
import { choices } from './parameters/declare';

/** What a completed document has, in the order in which it is fetched. */
const VARIANTS: readonly FileVariant[] = ['signed', 'certificate'];

/** Of the trigger and of Wait for Completion: once the option is added, both files are wanted. */
export const downloadFiles = choices('downloadFiles', 'Download Files', {
	default: [...VARIANTS],
	options: {
		certificate: ['Certificate', 'The audit certificate, as binary field certificate'],
		signed: ['Signed PDF', 'The sealed document, as binary field signed'],
	},
	description:
		'Files to attach when a document is completed. A file that cannot be downloaded is listed in download_errors instead.',
});

/** The files among what a parameter holds; a program may give one without a list. */
export function variantsIn(selected: unknown): FileVariant[] {
	const given = [selected].flat();
	return VARIANTS.filter((one) => given.includes(one));
}

/** Why a file is not there. */
export type DownloadError = {
	variant: FileVariant;
	message: string;
	code?: string;
	http_status?: number;
};

/**
 * Adds the files of a completed document to an item, in binary fields of their names. What could
 * not be fetched stands in `download_errors`: the document is signed all the same.
 *
 * @throws NodeOperationError the execution was cancelled
 */
export async function withFiles(
	context: IExecuteFunctions | IWebhookFunctions,
	item: INodeExecutionData,
	id: string,
	variants: readonly FileVariant[],
): Promise<INodeExecutionData> {
	const complete = { ...item };
	const errors: DownloadError[] = [];
	for (const variant of variants) {
		try {
			const file = await client.download(context, { path: { id, variant } });
			complete.binary = { ...complete.binary, [variant]: file.binary };
		} catch (error) {
			if (runOf(context).signal.aborted) throw asThrown(error);
			const { message, code, status } = readCallFailure(error);
			errors.push({
				variant,
				message,
				...(code && { code }),
				...(status && { http_status: status }),
			});
		}
	}
	if (errors.length > 0) complete.json = { ...item.json, download_errors: errors };
	return complete;
}
