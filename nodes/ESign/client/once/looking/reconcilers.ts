import type { IDataObject } from 'n8n-workflow';
import type { LookFirstEndpoint } from '../../../service/endpoints';
import { hrefOf } from '../../../service/urls';
import type { Document, EmbedLink, TemplateLink, WebhookEndpoint } from '../../../service/wire';
import { isObject } from '../../isObject';
import { ask, type Call } from '../call';
import { newestDocuments } from './documents';
import { peopleKey, readAs } from './likeness';

/** What a creating call may have left at the service. */
export type CreatedObject = { id: string; created_at: string; status?: string };

/**
 * How to find out what a creating call has left behind when its answer was lost
 * (docs/architecture.md section 4).
 */
export type Reconciler<Found extends CreatedObject = CreatedObject> = {
	/** What calls of the same name create cannot be told apart. */
	alike: string;
	/** What is looked for, in words. */
	thing: string;
	/**
	 * Everything at the service that looks like it; what is older than `since` may be left out.
	 * @throws NodeApiError
	 */
	find(since: () => number): Promise<Found[]>;
	/** The response that was lost, from what was found. */
	complete?(found: Found): Promise<IDataObject>;
	/** Takes away what is of no use without the response that was lost. */
	discard?(found: Found): Promise<undefined>;
	/** What is said of it where that fails. */
	incomplete?: string;
};

const RECONCILERS: Record<LookFirstEndpoint, (call: Call) => Reconciler> = {
	'POST /templates/{id}/send': templateSendReconciler,
	'POST /templates/{id}/links': templateLinkReconciler,
	'POST /webhooks': webhookEndpointReconciler,
};

export function reconcilerOf(call: Call): Reconciler {
	return RECONCILERS[call.endpoint as LookFirstEndpoint](call);
}

/**
 * The document that is out with this title, or the template's name, and these people. Embed links
 * are created anew.
 */
function templateSendReconciler(call: Call): Reconciler<Document> {
	const { path, body = {} } = call.request;
	const wanted = peopleKey(body.recipients);
	const title = typeof body.title === 'string' ? readAs(body.title) : '';
	return {
		// Without the template: two templates may make documents that cannot be told apart.
		alike: JSON.stringify(['templateSend', wanted]),
		thing: 'document',
		find: async (since) => {
			// A draft may be another program's, with other contents.
			const documents = (await newestDocuments(call, since)).filter(
				({ status, recipients }) => status !== 'draft' && peopleKey(recipients) === wanted,
			);
			if (documents.length === 0) return [];
			const expected =
				title === '' ? readAs((await ask(call, 'GET /templates/{id}', { path })).name) : title;
			return documents.filter((document) => readAs(document.title) === expected);
		},
		complete: async (document) => {
			if (!isObject(body.embed)) return document;
			const { roles } = await ask(call, 'GET /templates/{id}', { path });
			const signing = roles
				.filter(({ type }) => type !== 'CC')
				.map(({ role }) => role.toLowerCase());
			const links: EmbedLink[] = [];
			for (const { id, role } of document.recipients) {
				// A cc has none (docs/service.md section 4, Templates, rule 9).
				if (!signing.includes(role?.toLowerCase() ?? '')) continue;
				const request = { path: { id: document.id, recipientId: id }, body: body.embed };
				const link = await ask(
					call,
					'POST /documents/{id}/recipients/{recipientId}/embed-link',
					request,
				);
				links.push({ recipient_id: id, url: link.url, expires_at: link.expires_at });
			}
			return { ...document, embed_links: links };
		},
		incomplete: ' is out, but its embed links could not be created',
	};
}

/** The template's link with these texts, limits and signers. */
function templateLinkReconciler(call: Call): Reconciler<TemplateLink> {
	const { path = {}, body = {} } = call.request;
	const wanted = spelt(body);
	return {
		alike: JSON.stringify(['templateLink', path.id, wanted]),
		thing: 'template link',
		find: async () => {
			const { data } = await ask(call, 'GET /templates/{id}/links', { path });
			return data.filter((link) => spelt({ ...link }) === wanted);
		},
	};
}

/** Links that are spelt the same cannot be told apart. */
function spelt(link: IDataObject): string {
	// One moment may be written in several ways.
	const limits = [Date.parse(String(link.expires_at)), link.max_uses ?? null];
	const texts = [link.label, link.headline, link.message, link.redirect_url].map(readAs);
	const signers = Array.isArray(link.signers) ? (link.signers as IDataObject[]) : [];
	// An open signer's name and email address are the visitor's.
	const people = signers.map(({ placeholder_id: role, is_open: isOpen, name, email }) =>
		JSON.stringify([role, isOpen === true || peopleKey([{ name, email }])]),
	);
	return JSON.stringify([texts, limits, people.sort()]);
}

/**
 * An endpoint with this URL: its secret cannot be read again (docs/service.md section 6, delivery
 * rule 7), so it is deleted.
 */
function webhookEndpointReconciler(call: Call): Reconciler<WebhookEndpoint> {
	const url = hrefOf(String(call.request.body?.url ?? ''));
	return {
		alike: JSON.stringify(['webhookEndpoint', url]),
		thing: 'webhook endpoint',
		find: async () => {
			const { data } = await ask(call, 'GET /webhooks');
			return data.filter((endpoint) => hrefOf(endpoint.url) === url);
		},
		discard: async ({ id }) =>
			void (await ask(call, 'DELETE /webhooks/{id}', { path: { id }, mayBeDone: true })),
		incomplete: ', whose signing secret nobody knows, could not be deleted',
	};
}
