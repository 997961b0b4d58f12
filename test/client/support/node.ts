import type { INode } from 'n8n-workflow';

/** The node that an error is said of. */
export const NODE: INode = {
	id: '1',
	name: 'eSign',
	type: 'eSign',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
