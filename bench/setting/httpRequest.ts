import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { ChainNode } from './workbench';

export interface HttpCall {
	method: 'GET' | 'POST' | 'PUT';
	/** Literal, or an expression that starts with `=`. */
	url: string;
	/** An expression that gives the JSON body as an object. */
	json?: string;
	/** Input binary field that is sent as the multipart part `file`. */
	binaryField?: string;
	query?: Record<string, string>;
	/** Batching, Pagination, Response: the node's options. */
	options?: IDataObject;
	/** Left out for addresses that must not see the API key. */
	withoutKey?: boolean;
}

/**
 * n8n's HTTP Request node, set up as its documentation has it: the credential of the service as
 * predefined type.
 */
export function httpRequest(name: string, call: HttpCall): ChainNode {
	const query = Object.entries(call.query ?? {}).map(([key, value]) => ({ name: key, value }));
	const parameters = {
		method: call.method,
		url: call.url,
		...(!call.withoutKey && {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'eSignApi',
		}),
		...(query.length > 0 && { sendQuery: true, queryParameters: { parameters: query } }),
		...(call.json && {
			sendBody: true,
			contentType: 'json',
			specifyBody: 'json',
			jsonBody: call.json,
		}),
		...(call.binaryField && {
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [
					{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: call.binaryField },
				],
			},
		}),
		options: call.options ?? {},
	};
	return { name, type: 'n8n-nodes-base.httpRequest', parameters: parameters as INodeParameters };
}

/** The Batching option: so many items, then a pause. */
export function batching(batchSize: number, batchInterval: number): IDataObject {
	return { batching: { batch: { batchSize, batchInterval } } };
}
