import type { IN8nHttpFullResponse } from 'n8n-workflow';

/** No file system in use takes a longer name. */
const MAX_NAME_BYTES = 255;

/**
 * The name in `Content-Disposition`, of which the form that can hold any character counts first
 * (RFC 6266).
 */
export function fileNameIn(headers: IN8nHttpFullResponse['headers']): string | undefined {
	const disposition = headers['content-disposition'];
	if (typeof disposition !== 'string') return undefined;
	const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
	const plain =
		/filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1] ??
		/filename=([^;"\s]+)/i.exec(disposition)?.[1];
	const name = (extended && decoded(extended)) ?? plain?.replace(/\\(.)/g, '$1');
	// A name, never a path, and nothing that a file system or a terminal would act on, or that shows
	// another ending.
	const last = name?.replace(/^.*[/\\]/s, '').replace(/[\p{Cc}\p{Bidi_Control}]/gu, '') ?? '';
	return /^\.*$/.test(last) || Buffer.byteLength(last) > MAX_NAME_BYTES ? undefined : last;
}

function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
