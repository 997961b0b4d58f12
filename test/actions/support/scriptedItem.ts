import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';
import { memoryHelpers } from '../../support/n8nCore/nodeMemory';
import { client } from '../../../nodes/ESign/client';
import { Item } from '../../../nodes/ESign/operation/parameters/item';

/** A request as n8n's helper would send it. */
export type Asked = { method: string; path: string; query: IDataObject; body: IDataObject };

export type Answer = { status?: number; body: object; headers?: Record<string, string> };

/** For a test file: a service that does not answer is asked a few times, without pauses. */
export function askWithoutPauses(): void {
	beforeAll(() => {
		Object.assign(client.settings, {
			attempts: 2,
			backoffMs: 1,
			longestBackoffMs: 1,
			lateEffectMs: 1,
		});
	});
}

let executions = 0;

/**
 * An item in what n8n gives a node, as far as an operation asks for it, with a service that is a
 * function: for tests that decide within milliseconds. What n8n and the service really do is shown
 * elsewhere.
 */
export function scriptedItem(
	parameters: IDataObject,
	answer: (asked: Asked) => Answer | Promise<Answer> = () => ({ body: {} }),
	input: INodeExecutionData = { json: {} },
	signal?: AbortSignal,
): { item: Item; asked: Asked[]; hints: string[]; log: string[] } {
	const asked: Asked[] = [];
	const hints: string[] = [];
	const log: string[] = [];
	const id = `execution ${++executions}`;
	const node = {
		id: '1',
		name: 'eSign',
		type: 'eSign',
		typeVersion: 1,
		parameters,
		credentials: {},
	} as unknown as INode;
	const workflow = { id: `workflow ${executions}`, active: false };
	const flow = {};
	const context = {
		getNode: () => node,
		continueOnFail: () => false,
		getNodeParameter: (name: string) => parameters[name],
		getExecutionId: () => id,
		getMode: () => 'manual',
		getWorkflow: () => workflow,
		evaluateExpression: () => 0,
		runExecutionData: { executionData: { runtimeData: { establishedAt: Date.now() } } },
		getContext: () => flow,
		getTimezone: () => 'Europe/Berlin',
		getInputData: () => [input],
		getExecutionCancelSignal: () => signal,
		getCredentials: async () =>
			await Promise.resolve({
				baseUrl: `https://esign.example/${executions}/v1`,
				apiKey: 'sk_test_1',
			}),
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		logger: { warn: (text: string) => log.push(text), info: () => 0, debug: () => 0 },
		helpers: {
			...memoryHelpers({ workflow, node }),
			getBinaryDataBuffer: async (_: number, { data }: IBinaryData) =>
				await Promise.resolve(Buffer.from(data, 'base64')),
			async *getBinaryStream(chunks: string) {
				for (const chunk of await Promise.resolve(chunks.split('|'))) yield Buffer.from(chunk);
			},
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
				const { pathname } = new URL(options.url);
				const body = (
					typeof options.body === 'string' ? JSON.parse(options.body) : options.body
				) as IDataObject;
				const request = {
					method: String(options.method),
					path: pathname.replace(/^.*\/v1/, ''),
					// n8n's client leaves out what is unset.
					query: JSON.parse(JSON.stringify(options.qs ?? {})) as IDataObject,
					body,
				};
				asked.push(
					structuredClone(
						request.method === 'POST' && request.path === '/files'
							? { ...request, body: {} }
							: request,
					),
				);
				const { status = 200, body: answered, headers = {} } = await answer(request);
				return { statusCode: status, headers, body: structuredClone(answered) };
			},
		},
	};
	const item = new Item(context as unknown as IExecuteFunctions, 0);
	item.id = `item of ${id}`;
	return { item, asked, hints, log };
}
