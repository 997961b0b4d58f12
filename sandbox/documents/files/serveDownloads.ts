import type { FastifyInstance } from 'fastify';
import type { DownloadUrls } from './downloadUrls';

/** `filename` for readers of ASCII, `filename*` for everyone else (RFC 6266). */
function disposition(fileName: string): string {
	const ascii = fileName.replace(/[^\x20-\x7e]|["\\/]/g, '_');
	// A title may hold half a surrogate pair, which cannot be percent-encoded; this round trip
	// replaces it.
	const wellFormed = Buffer.from(fileName, 'utf8').toString('utf8');
	const encoded = encodeURIComponent(wellFormed).replace(
		/['()*]/g,
		(c) => `%${c.charCodeAt(0).toString(16)}`,
	);
	return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** GET /files/download/<token>: outside /v1, without a key, and not counted against one. */
export function serveDownloads(downloads: DownloadUrls) {
	return async (app: FastifyInstance): Promise<void> => {
		app.get<{ Params: { token: string } }>('/files/download/:token', async (request, reply) => {
			const { bytes, fileName } = downloads.open(request.params.token);
			return reply
				.type('application/pdf')
				.header('content-disposition', disposition(fileName))
				.send(bytes);
		});
	};
}
