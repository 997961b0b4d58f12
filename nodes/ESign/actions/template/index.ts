export const option = {
	name: 'Template',
	value: 'template',
	description: 'A document prepared in the web application',
};

export const defaultOperation = 'send';

export * as get from './get.operation';
export * as getAll from './getAll.operation';
export * as send from './send.operation';
