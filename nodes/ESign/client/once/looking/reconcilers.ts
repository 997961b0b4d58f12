import type { IDataObject } from 'n8n-workflow';
import type { LookFirstEndpoint } from '../../../service/endpoints';
import type { Document, EmbedLink, TemplateDetail, TemplateLink, WebhookEndpoint } from '../../../service/wire';
import type { ApiRequest } from '../../call/address';
import { isObject } from '../../isObject';
import type { Call } from '../call';
import { hasTitle, newestDocuments, titleIn } from './documents';
import { failWith, isCandidate, type LookFilter, type Reconciler } from './lookFilter';
import { addressOf, readAs, recipientsIn, recipientsKey, sameRecipients } from './sameText';

/** The endpoints that create what is not harmless, and how to find what a lost answer of theirs has left. */
const RECONCILERS: Record<LookFirstEndpoint, (request: ApiRequest) => Reconciler> = {
	'POST /templates/{id}/send': templateSendReconciler,
	'POST /templates/{id}/links': templateLinkReconciler,
	'POST /webhooks': webhookEndpointReconciler,
};

export function reconcilerOf({ endpoint, request }: Call): Reconciler {
	return RECONCILERS[endpoint as LookFirstEndpoint](request);
}

/**
 * For POST /templates/{id}/send: the document that is out with this title, or the template's name, and these recipients in these
 * roles. Embed links come only with the answer that was lost, so they are created anew.
 */
function templateSendReconciler({ path = {}, body = {}, itemIndex }: ApiRequest): Reconciler<Document> {
	const wanted = recipientsIn(body);
	let template: Promise<TemplateDetail> | undefined;
	const readTemplate = async (filter: LookFilter): Promise<TemplateDetail> => {
		template ??= filter.ask('GET /templates/{id}', { path, itemIndex });
		// A read that failed is made again at the next look.
		template.catch(() => (template = undefined));
		return await template;
	};

	return {
		// Without the template: two templates may make documents that cannot be told apart.
		alike: JSON.stringify(['templateSend', recipientsKey(wanted)]),
		thing: 'document',
		find: async (filter) => {
			// A draft may be another program's, with other contents.
			const documents = (await newestDocuments(filter, itemIndex)).filter(
				({ status, ...document }) =>
					status !== 'draft' && isCandidate(document, filter) && sameRecipients(document.recipients, wanted),
			);
			if (documents.length === 0) return [];
			const title = titleIn(body) ?? (await readTemplate(filter)).name;
			return documents.filter((document) => hasTitle(document, title));
		},
		adopt: async (filter, document) => {
			if (!isObject(body.embed)) return document;
			const options = body.embed;
			const links = await failWith(
				filter,
				`the document ${document.id} is out, but its embed links could not be created`,
				async () => await embedLinks(filter, document, await readTemplate(filter), options, itemIndex),
			);
			return { ...document, embed_links: links };
		},
	};
}

/** One embed link for every signer, none for a cc (docs/service.md section 4, Templates, rule 9). */
async function embedLinks(
	{ ask }: LookFilter,
	document: Document,
	template: TemplateDetail,
	options: IDataObject,
	itemIndex: number | undefined,
): Promise<EmbedLink[]> {
	const signing = template.roles.filter(({ type }) => type !== 'CC').map(({ role }) => role.toLowerCase());
	const links: EmbedLink[] = [];
	for (const { id, role } of document.recipients) {
		if (!signing.includes(role?.toLowerCase() ?? '')) continue;
		const link = await ask('POST /documents/{id}/recipients/{recipientId}/embed-link', {
			path: { id: document.id, recipientId: id },
			body: options,
			itemIndex,
		});
		links.push({ recipient_id: id, url: link.url, expires_at: link.expires_at });
	}
	return links;
}

const TEXTS = ['label', 'headline', 'message', 'redirect_url'] as const;

/** For POST /templates/{id}/links: the template's link with these texts, limits and signers. */
function templateLinkReconciler({ path = {}, body = {}, itemIndex }: ApiRequest): Reconciler<TemplateLink> {
	const wanted = spelt(body);
	return {
		alike: JSON.stringify(['templateLink', path.id, wanted]),
		thing: 'template link',
		find: async (filter) => {
			const { data } = await filter.ask('GET /templates/{id}/links', { path, itemIndex });
			return data.filter((link) => isCandidate(link, filter) && spelt({ ...link }) === wanted);
		},
		adopt: async (_, link) => link,
	};
}

/** Links that are spelt the same cannot be told apart. */
function spelt(link: IDataObject): string {
	const limits = [moment(link.expires_at), link.max_uses ?? null];
	return JSON.stringify([TEXTS.map((name) => readAs(link[name])), limits, signers(link.signers)]);
}

/** An open signer's name and e-mail address are the visitor's; only an assigned signer's count. */
function signers(list: unknown): string[] {
	if (!Array.isArray(list)) return [];
	return (list as IDataObject[])
		.map(({ placeholder_id: placeholder, is_open: isOpen, name, email }) =>
			JSON.stringify(isOpen === true ? [placeholder] : [placeholder, readAs(name), addressOf(email)]),
		)
		.sort();
}

/** One moment may be written in several ways. */
function moment(value: unknown): number | undefined {
	return typeof value === 'string' && value !== '' ? Date.parse(value) : undefined;
}

/**
 * For POST /webhooks: an endpoint with this URL whose create response was lost has a secret that nobody knows and that
 * cannot be read again (docs/service.md section 6, delivery rule 7), so it is deleted before another one is created.
 */
function webhookEndpointReconciler({ body = {}, itemIndex }: ApiRequest): Reconciler<WebhookEndpoint> {
	const url = hrefOf(String(body.url ?? ''));
	const discard = async (filter: LookFilter, { id }: WebhookEndpoint): Promise<void> => {
		await failWith(
			filter,
			`the webhook endpoint ${id}, whose signing secret nobody knows, could not be deleted`,
			async () => {
				await filter.ask('DELETE /webhooks/{id}', { path: { id }, itemIndex, mayBeDone: true });
			},
		);
	};
	return {
		alike: JSON.stringify(['webhookEndpoint', url]),
		thing: 'webhook endpoint',
		find: async (filter) => {
			const { data } = await filter.ask('GET /webhooks', { itemIndex });
			return data.filter((endpoint) => isCandidate(endpoint, filter) && hrefOf(endpoint.url) === url);
		},
		adopt: async (filter, orphan) => {
			await discard(filter, orphan);
			return undefined;
		},
		discard,
	};
}

/** A URL as the service may give it back. */
const hrefOf = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
