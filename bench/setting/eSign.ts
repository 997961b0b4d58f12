import type { INodeParameters } from 'n8n-workflow';
import type { ChainNode } from './workbench';

/** Our node with one operation. */
export function eSign(
	resource: string,
	operation: string,
	parameters: INodeParameters = {},
): ChainNode {
	return {
		name: `eSign ${resource} ${operation}`,
		type: 'n8n-nodes-esign.eSign',
		parameters: { resource, operation, ...parameters },
	};
}

/** A resource locator set to By ID. */
export function byId(value: string): INodeParameters {
	return { __rl: true, mode: 'id', value };
}
