import type { Resource } from '../operation';
import * as get from './get.operation';

export const account = {
	option: { name: 'Account', value: 'account', description: 'The workspace, its plan and its usage' },
	operations: [get],
	defaultOperation: 'get',
} as const satisfies Resource;
