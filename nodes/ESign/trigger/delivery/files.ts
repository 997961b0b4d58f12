import type { IBinaryKeyData, IWebhookFunctions } from 'n8n-workflow';
import { apiRequest, downloadFile, type Download } from '../../transport';
import { failureOf, type Failure } from '../endpoint/failures';
import { pause } from '../endpoint/pause';

/** The service waits ten seconds (docs/service.md section 6, rule 2); the rest is for n8n to start the workflow. */
export const FETCH_DEADLINE_MS = 8_000;

/** The files of a completed document that the trigger can attach; also the names of their binary properties. */
export type FileVariant = 'signed' | 'certificate';

/** Why a file is not attached, as the item carries it. A type alias, so that it fits n8n's item JSON. */
export type FileRefusal = { variant: FileVariant; message: string; code?: string; http_status?: number };

export interface FetchedFiles {
	binary: IBinaryKeyData;
	refusals: FileRefusal[];
	/** At least one of the refusals may be over by the next delivery. */
	isBrief: boolean;
}

type Outcome = { variant: FileVariant; file: Download } | { variant: FileVariant; failure: Failure };

const isFileVariant = (value: unknown): value is FileVariant => value === 'signed' || value === 'certificate';

/** The variants that `options.downloadFiles` asks for. */
export function variantsOf(selected: unknown): FileVariant[] {
	return Array.isArray(selected) ? [...new Set(selected.filter(isFileVariant))] : [];
}

async function fetchFile(context: IWebhookFunctions, documentId: string, variant: FileVariant): Promise<Outcome> {
	try {
		const { url } = await apiRequest(context, 'GET /documents/{id}/files/{variant}', {
			path: { id: documentId, variant },
		});
		return { variant, file: await downloadFile(context, url) };
	} catch (error) {
		return { variant, failure: failureOf(error) };
	}
}

/**
 * Fetches files of a completed document and attaches them as binary data. Never throws: what could not be had within the
 * deadline, in milliseconds, is among the refusals.
 */
export async function fetchFiles(
	context: IWebhookFunctions,
	documentId: string,
	variants: readonly FileVariant[],
	deadline = FETCH_DEADLINE_MS,
): Promise<FetchedFiles> {
	let finished = false;
	const tooLate = pause(deadline, () => finished);
	const outcomes = await Promise.all(
		variants.map(async (variant): Promise<Outcome> => {
			const late: Failure = {
				message: `The file did not arrive within ${deadline / 1_000} seconds`,
				extra: {},
				isBrief: true,
			};
			return await Promise.race([
				fetchFile(context, documentId, variant),
				tooLate.then(() => ({ variant, failure: late })),
			]);
		}),
	);
	finished = true;

	const fetched: FetchedFiles = { binary: {}, refusals: [], isBrief: false };
	for (const outcome of outcomes) {
		const { variant } = outcome;
		if ('file' in outcome) {
			const { bytes, fileName, mimeType } = outcome.file;
			fetched.binary[variant] = await context.helpers.prepareBinaryData(
				bytes,
				fileName ?? `${documentId}-${variant}.pdf`,
				mimeType || 'application/pdf',
			);
		} else {
			const { message, code, status, isBrief } = outcome.failure;
			fetched.refusals.push({ variant, message, ...(code && { code }), ...(status && { http_status: status }) });
			fetched.isBrief ||= isBrief;
		}
	}
	return fetched;
}
