import type { Resource } from '../operation';
import * as create from './create.operation';
import * as deleteLink from './delete.operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as rotate from './rotate.operation';

export const templateLink = {
	option: {
		name: 'Template Link',
		value: 'templateLink',
		description: 'A public URL where anybody can start a document from a template',
	},
	operations: [create, deleteLink, get, getAll, rotate],
	defaultOperation: 'create',
} as const satisfies Resource;
