import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

const OWN_FILES = join(__dirname, 'assets');
const PDFJS = dirname(require.resolve('pdfjs-dist/package.json'));
const SCRIPT_FONT =
	require.resolve('@expo-google-fonts/dancing-script/600SemiBold/DancingScript_600SemiBold.ttf');

/** Folders of pdf.js that its viewer loads from, by the name under which they are served. */
const PDFJS_FOLDERS = ['build', 'standard_fonts', 'cmaps', 'wasm'];

/** The style sheets of every page, in their order. */
export const STYLES = ['page.css', 'dashboard.css', 'signing.css'];

const TYPES: Record<string, string> = {
	css: 'text/css; charset=utf-8',
	mjs: 'text/javascript; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	wasm: 'application/wasm',
	ttf: 'font/ttf',
};

/** Serves the style sheets, the scripts, and pdf.js itself. */
export function serveAssets(app: FastifyInstance): void {
	app.get('/assets/script.ttf', (_request, reply) => sendFile(reply, SCRIPT_FONT));
	for (const name of [...STYLES, 'viewer.mjs', 'copy.mjs']) {
		app.get(`/assets/${name}`, (_request, reply) => sendFile(reply, join(OWN_FILES, name)));
	}
	app.get<{ Params: { folder: string; file: string } }>(
		'/assets/pdfjs/:folder/:file',
		(request, reply) => {
			const { folder, file } = request.params;
			if (!PDFJS_FOLDERS.includes(folder) || !/^\w[\w.-]*$/.test(file)) return reply.callNotFound();
			return sendFile(reply, join(PDFJS, folder, file));
		},
	);
}

async function sendFile(reply: FastifyReply, path: string): Promise<FastifyReply> {
	const bytes = await readFile(path).catch(() => null);
	if (!bytes) {
		reply.callNotFound();
		return reply;
	}
	const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
	return reply
		.type(type)
		.header('cache-control', 'max-age=3600')
		.header('x-content-type-options', 'nosniff')
		.send(bytes);
}
