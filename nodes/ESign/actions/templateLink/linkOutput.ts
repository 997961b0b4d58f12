import type { IDataObject } from 'n8n-workflow';
import type { TemplateLink } from '../../client';
import { simplify, type Item } from '../../operation';

/** How a link is output: as it is, or simplified. */
export function linkOutput(item: Item): (link: TemplateLink) => object {
	return item.read(simplify) === false ? (link) => link : simpleLink;
}

/**
 * Of a link (docs/service.md section 2): where it is, whether it still works, and which role its
 * visitors take.
 */
function simpleLink(link: TemplateLink): IDataObject {
	const {
		id,
		url,
		label,
		template_id,
		enabled,
		use_count,
		max_uses,
		expires_at,
		created_at,
		signers,
	} = link;
	const open_role = signers?.find(({ is_open }) => is_open)?.role ?? null;
	return {
		id,
		url,
		label,
		template_id,
		open_role,
		enabled,
		use_count,
		max_uses,
		expires_at,
		created_at,
	};
}
