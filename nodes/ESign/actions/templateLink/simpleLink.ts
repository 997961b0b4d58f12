import type { IDataObject } from 'n8n-workflow';
import type { TemplateLink } from '../../client';

/** Of a link (docs/service.md section 2): where it is, whether it still works, and which role its visitors take. */
export function simpleLink(link: TemplateLink): IDataObject {
	const { id, url, label, template_id, enabled, use_count, max_uses, expires_at, created_at, signers } = link;
	const open_role = signers?.find(({ is_open }) => is_open)?.role ?? null;
	return { id, url, label, template_id, open_role, enabled, use_count, max_uses, expires_at, created_at };
}
