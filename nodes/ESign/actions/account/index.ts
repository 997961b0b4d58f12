export const option = {
	name: 'Account',
	value: 'account',
	description: 'The workspace, its plan and its usage',
};

export const defaultOperation = 'get';

export * as get from './get.operation';
