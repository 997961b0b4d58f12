export const option = {
	name: 'File',
	value: 'file',
	description: 'A file from which documents are made',
};

export const defaultOperation = 'upload';

export * as upload from './upload.operation';
