/** What an ID is of, by how it begins (docs/service.md section 1). */
export const KIND_OF_PREFIX: Record<string, string> = {
	doc_: 'a document',
	rcp_: 'a recipient',
	tpl_: 'a template',
	file_: 'a file',
	fld_: 'a field',
	whk_: 'a webhook endpoint',
	dlv_: 'a delivery',
	evt_: 'an event',
	lnk_: 'a template link',
	org_: 'a workspace',
	ph_: 'a role of a template',
};
