import { usageAt } from '../documents/usage';
import { expireDocument, requireDocument } from '../documents/transitions';
import {
	declineDocument,
	findPerson,
	reassignRecipient,
	signDocument,
	viewDocument,
} from '../documents/signing';
import { findEmbed } from '../documents/embedLinks';
import { enterPin } from '../documents/pins';
import { findBySlug, refusalOf, startLink } from '../links/start';
import type { DocumentView, SandboxService, SigningView } from './service';
import type { SignDocument } from '../state/entities';
import type { RecipientPlace } from '../state/state';
import { MODES } from '../state/vocabulary';
import {
	deliveryView,
	documentView,
	endpointView,
	linkView,
	signingView,
	templateView,
} from './views';
import { templateSource } from '../templates/source';
import type { DeliveryQueue } from '../webhooks/deliveries';
import { latestDeliveries, requireDelivery, requireEndpoint } from '../webhooks/endpoints';
import type { World } from '../state/world';

const LISTED = 100;

function listDocuments(
	world: World,
	{ mode, limit = LISTED }: { mode?: DocumentView['mode']; limit?: number },
) {
	const newest: SignDocument[] = [];
	for (const one of mode ? [mode] : MODES) {
		let taken = 0;
		for (const document of world.state.documents.newestFirst(one)) {
			if (taken++ === limit) break;
			newest.push(document);
		}
	}
	return newest.sort((a, b) => b.sequence - a.sequence).slice(0, limit);
}

function signingAt(world: World, place: RecipientPlace | undefined): SigningView | undefined {
	if (!place) return undefined;
	const { document, recipient } = findPerson(world, place.recipientId);
	return signingView(document, recipient);
}

/** The service as its pages and controls see it (sandbox/acts/service.ts). */
export function createService(
	world: World,
	queue: DeliveryQueue,
	keys: () => { live: string; test: string },
): SandboxService {
	const { state } = world;
	return {
		get origin() {
			return world.origin;
		},
		now: () => world.timeline.date(),
		documents: (filter = {}) => listDocuments(world, filter).map(documentView),
		document: (documentId) => {
			const document = state.documents.find(documentId);
			return document && documentView(document);
		},
		sourcePdf: (documentId) => state.documents.find(documentId)?.source ?? null,
		finishedPdf: (documentId, variant) => {
			const document = state.documents.find(documentId);
			return (variant === 'signed' ? document?.sealed : document?.certificate) ?? null;
		},
		templates: () =>
			(['TEST', 'LIVE'] as const)
				.flatMap((mode) => [...state.templates.newestFirst(mode)])
				.map(templateView),
		templatePdf: async (templateId) => {
			const template = state.templates.find(templateId);
			return template ? (await templateSource(template)).bytes : null;
		},
		signing: (token) => signingAt(world, state.signingTokens.get(token)),
		embed: (token) => {
			const session = findEmbed(world, token);
			if (session === undefined || session === 'expired') return session;
			// A reassigned or replaced recipient takes the session along or ends it.
			const signing = signingAt(world, state.recipients.get(session.recipientId));
			return signing && { ...signing, redirectUrl: session.redirectUrl };
		},
		enterPin: (recipientId, pin) => enterPin(findPerson(world, recipientId).recipient, pin),
		view: (recipientId) => viewDocument(world, recipientId),
		sign: (recipientId, input) => signDocument(world, recipientId, input),
		decline: (recipientId) => declineDocument(world, recipientId),
		reassign: async (recipientId, to) => {
			const { id, signingToken } = await reassignRecipient(world, recipientId, to);
			return { recipientId: id, signingToken };
		},
		expire: (documentId) => expireDocument(world, requireDocument(world, documentId)),
		link: (slug) => {
			const link = findBySlug(world, slug);
			const template = link && state.templates.find(link.templateId);
			return link && template && linkView(link, template.name, refusalOf(world, link) ?? null);
		},
		startLink: async (slug, visitor) => {
			const { document, recipient } = await startLink(world, slug, visitor);
			return {
				documentId: document.id,
				recipientId: recipient.id,
				signingToken: recipient.signingToken,
			};
		},
		endpoints: () =>
			MODES.flatMap((mode) => [...state.endpoints.newestFirst(mode)])
				.sort((a, b) => b.sequence - a.sequence)
				.map(endpointView),
		deliveries: (endpointId, limit = LISTED) =>
			latestDeliveries(requireEndpoint(world, endpointId), limit).map(deliveryView),
		replay: (endpointId, deliveryId) => {
			const endpoint = requireEndpoint(world, endpointId);
			const delivery = requireDelivery(endpoint, deliveryId);
			return { replayed: queue.replay(endpoint, delivery), eventId: delivery.eventId };
		},
		usage: () => usageAt(state, world.timeline.date()),
		workspace: () => {
			const { id, name, plan, trialing, suspended, embedOrigins } = state.workspace;
			return { id, name, plan, trialing, suspended, embedOrigins: [...embedOrigins] };
		},
		keys,
	};
}
