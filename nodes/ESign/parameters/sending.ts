import type { INodeProperties } from 'n8n-workflow';
import { LENGTH } from '../service/limits';
import type { PropertyRule } from './checks/rules';

/** What a document is called; its default differs by what it is made of. */
export const titleProperty: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	description: 'The name of the document that recipients see, up to 160 characters',
};

export const titleRule: PropertyRule = { label: 'Title', type: 'string', max: LENGTH.title };

/** Said by every operation that sends a document out. */
export const sendNotice: INodeProperties = {
	displayName:
		'The document goes out immediately: to everyone, or to the first signer if the routing is sequential. With a live API key people get e-mails and the document counts towards your bill; with a test key no e-mails are sent and nothing is billed.',
	name: 'sendNotice',
	type: 'notice',
	default: '',
};
