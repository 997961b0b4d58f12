import type { IDataObject } from 'n8n-workflow';

/**
 * The body of POST /files: multipart with a single part named `file` (api.md section 4). The client sets the content
 * type with the boundary. Typed as n8n types bodies, which do not know the platform's FormData.
 */
export function multipartFile(name: string, mimeType: string, bytes: Buffer): IDataObject {
	const form = new FormData();
	form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mimeType }), name === '' ? 'file' : name);
	return form as unknown as IDataObject;
}
