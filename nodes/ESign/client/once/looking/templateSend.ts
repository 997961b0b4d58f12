import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../call/address';
import type { Document, EmbedLink, TemplateDetail } from '../../../service/wire';
import { hasTitle, newestDocuments, titleIn } from './documents';
import { isObject } from '../../isObject';
import { failWith, isCandidate, type Reconciler, type Search } from './search';
import { recipientsIn, recipientsKey, sameRecipients } from './sameRecipients';

/**
 * For POST /templates/{id}/send: the document that is out with this title, or the template's name, and these recipients in these
 * roles. Embed links come only with the answer that was lost, so they are created anew.
 */
export function templateSendReconciler({ path = {}, body = {}, itemIndex }: ApiRequest): Reconciler<Document> {
	const wanted = recipientsIn(body);
	let template: Promise<TemplateDetail> | undefined;
	const readTemplate = async (search: Search): Promise<TemplateDetail> => {
		template ??= search.ask('GET /templates/{id}', { path, itemIndex });
		// A read that failed is made again at the next look.
		template.catch(() => (template = undefined));
		return await template;
	};

	return {
		// Without the template: two templates may make documents that cannot be told apart.
		alike: JSON.stringify(['templateSend', recipientsKey(wanted)]),
		thing: 'document',
		find: async (search) => {
			// A draft may be another program's, with other contents.
			const documents = (await newestDocuments(search, itemIndex)).filter(
				({ status, ...document }) =>
					status !== 'draft' && isCandidate(document, search) && sameRecipients(document.recipients, wanted),
			);
			if (documents.length === 0) return [];
			const title = titleIn(body) ?? (await readTemplate(search)).name;
			return documents.filter((document) => hasTitle(document, title));
		},
		adopt: async (search, document) => {
			if (!isObject(body.embed)) return document;
			const options = body.embed;
			const links = await failWith(
				search,
				`the document ${document.id} is out, but its embed links could not be created`,
				async () => await embedLinks(search, document, await readTemplate(search), options, itemIndex),
			);
			return { ...document, embed_links: links };
		},
	};
}

/** One embed link for every signer, none for a cc (docs/service.md section 4, Templates, rule 9). */
async function embedLinks(
	{ ask }: Search,
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
