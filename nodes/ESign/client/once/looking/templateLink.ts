import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../../call/address';
import type { TemplateLink } from '../../../service/wire';
import { addressOf, readAs } from './sameText';
import { isCandidate, type Reconciler } from './search';

const TEXTS = ['label', 'headline', 'message', 'redirect_url'] as const;

/** For POST /templates/{id}/links: the template's link with these texts, limits and signers. */
export function templateLinkReconciler({ path = {}, body = {}, itemIndex }: ApiRequest): Reconciler<TemplateLink> {
	const wanted = spelt(body);
	return {
		alike: JSON.stringify(['templateLink', path.id, wanted]),
		thing: 'template link',
		find: async (search) => {
			const { data } = await search.ask('GET /templates/{id}/links', { path, itemIndex });
			return data.filter((link) => isCandidate(link, search) && spelt({ ...link }) === wanted);
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
