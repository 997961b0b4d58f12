import { parse } from 'node:querystring';
import type { FastifyInstance } from 'fastify';
import type { SandboxService } from '../acts/service';
import { refusalFor } from '../http/bodies';
import { serveAssets } from './serveAssets';
import { serveDashboard } from './dashboard/serveDashboard';
import { messagePage, sendPage } from './page';
import { servePublicLinks } from './servePublicLinks';
import { serveSigning } from './signing/serveSigning';

/**
 * Adds the pages for people: dashboard `/`, signing page `/sign/<token>` and `/embed/<token>`,
 * public start page `/t/<slug>` and `/embed/t/<slug>`. All of them work as plain forms; scripts
 * only draw the pages of PDFs, and copy IDs.
 */
export async function registerPages(app: FastifyInstance, service: SandboxService): Promise<void> {
	await app.register(async (pages) => {
		pages.addContentTypeParser(
			'application/x-www-form-urlencoded',
			{ parseAs: 'string' },
			(_request, body, done) => done(null, parse(String(body))),
		);
		pages.addHook('onRequest', async (request, reply) => {
			// The dashboard knows no login: another site must not be able to press its buttons.
			const foreign = request.headers['sec-fetch-site'] === 'cross-site';
			if (foreign && request.method !== 'GET' && request.method !== 'HEAD') {
				await sendPage(
					reply,
					messagePage('Refused', 'This form was sent by another site.', { status: 403 }),
				);
			}
		});
		pages.setErrorHandler((error, request, reply) => {
			const refusal = refusalFor(error);
			if (refusal.statusCode < 500) {
				return sendPage(
					reply,
					messagePage('That did not work', refusal.message, { status: refusal.statusCode }),
				);
			}
			request.log.error(error);
			return sendPage(
				reply,
				messagePage('Something broke', 'This is a fault of the sandbox.', { status: 500 }),
			);
		});
		serveAssets(pages);
		serveDashboard(pages, service);
		serveSigning(pages, service);
		servePublicLinks(pages, service);
	});
}
