import { storeUpload } from '../documents/files/upload';
import { route } from '../http/route';
import { fileWire } from './wire';
import { fileSchema } from '../schemas/documentAnswers';
import type { World } from '../state/world';

export function fileRoutes(world: World) {
	return [
		route({
			method: 'POST',
			path: '/files',
			operationId: 'uploadFile',
			scope: 'documents:write',
			summary: 'Uploads one file, whose type is detected from its bytes',
			tag: 'Files',
			multipart: true,
			status: 201,
			response: fileSchema,
			errors: [
				'multipart_required',
				'file_missing',
				'file_empty',
				'file_too_large',
				'unsupported_file_type',
				'password_protected_pdf',
				'corrupt_pdf',
			],
			handle: async ({ mode, request }) => fileWire(await storeUpload(world, mode, request)),
		}),
	];
}
