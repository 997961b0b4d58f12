export const option = {
	name: 'Template Link',
	value: 'templateLink',
	description: 'A public URL where anybody can start a document from a template',
};

export const defaultOperation = 'create';

export * as create from './create.operation';
export * as deleteLink from './delete.operation';
export * as get from './get.operation';
export * as getAll from './getAll.operation';
export * as rotate from './rotate.operation';
