import type { Resource } from '../operation';
import * as upload from './upload.operation';

export const file = {
	option: { name: 'File', value: 'file', description: 'A file from which documents are made' },
	operations: [upload],
	defaultOperation: 'upload',
} as const satisfies Resource;
