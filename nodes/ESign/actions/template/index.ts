import type { Resource } from '../operation';
import * as get from './get.operation';
import * as getAll from './getAll.operation';
import * as send from './send.operation';

export const template = {
	option: { name: 'Template', value: 'template', description: 'A document prepared in the web application' },
	operations: [get, getAll, send],
	defaultOperation: 'send',
} as const satisfies Resource;
