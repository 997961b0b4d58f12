import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxService } from '../../acts/service';
import { dashboardPage } from './dashboardPage';
import { messagePage, sendPage } from '../page';

interface ByDocument {
	Params: { documentId: string };
}

interface ByTemplate {
	Params: { templateId: string };
}

interface ByDelivery {
	Params: { endpointId: string; deliveryId: string };
}

/**
 * What an act came to, by the word that the address carries back: addresses must not be able to put
 * words here.
 */
const NOTICES: Record<string, string> = {
	replayed: 'The stored payload was sent again.',
	disabled: 'This endpoint is disabled: the attempt is recorded, nothing was sent.',
	expired: 'The document has expired.',
};

/** `/`: what is in the sandbox, and the acts of a developer on it. */
export function serveDashboard(app: FastifyInstance, service: SandboxService): void {
	app.get<{ Querystring: { done?: string } }>('/', (request, reply) =>
		sendPage(reply, dashboardPage(service, NOTICES[String(request.query.done)] ?? null)),
	);

	const files: Record<string, (documentId: string) => Buffer | null> = {
		original: (documentId) => service.sourcePdf(documentId),
		signed: (documentId) => service.finishedPdf(documentId, 'signed'),
		certificate: (documentId) => service.finishedPdf(documentId, 'certificate'),
	};
	for (const [variant, find] of Object.entries(files)) {
		app.get<ByDocument>(`/dashboard/documents/:documentId/${variant}.pdf`, (request, reply) => {
			return sendPdf(reply, find(request.params.documentId));
		});
	}
	app.get<ByTemplate>('/dashboard/templates/:templateId/pages.pdf', async (request, reply) =>
		sendPdf(reply, await service.templatePdf(request.params.templateId)),
	);

	app.post<ByDocument>('/dashboard/documents/:documentId/expire', async (request, reply) => {
		await service.expire(request.params.documentId);
		return reply.redirect('/?done=expired', 303);
	});
	app.post<ByDelivery>(
		'/dashboard/endpoints/:endpointId/deliveries/:deliveryId/replay',
		(request, reply) => {
			const { replayed } = service.replay(request.params.endpointId, request.params.deliveryId);
			return reply.redirect(`/?done=${replayed ? 'replayed' : 'disabled'}`, 303);
		},
	);
}

function sendPdf(reply: FastifyReply, bytes: Buffer | null): FastifyReply {
	if (bytes) return reply.type('application/pdf').header('cache-control', 'no-store').send(bytes);
	const nothing = messagePage('No such file', 'It does not exist, or not yet.', { status: 404 });
	return sendPage(reply, nothing);
}
