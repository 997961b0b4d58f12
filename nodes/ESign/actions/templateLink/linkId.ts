import type { INodeProperties } from 'n8n-workflow';

/** The service lists links per template only, so there is no list to choose one from. */
export const linkId: INodeProperties = {
	displayName: 'Template Link ID',
	name: 'templateLinkId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. lnk_6e0b2d',
	description: 'The ID of the link, as Create and Get Many of Template Link return it',
};
