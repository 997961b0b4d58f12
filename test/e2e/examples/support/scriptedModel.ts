import fastify from 'fastify';

interface ChatMessage {
	role: string;
	content: unknown;
}

/** A request as a chat model of the OpenAI kind gets it. */
export interface ChatRequest {
	messages: ChatMessage[];
	tools?: Array<{
		function: { name: string; description: string; parameters: { properties: object } };
	}>;
}

/** What a model wants done: one call of a tool. */
export interface ToolCall {
	tool: string;
	arguments: object;
}

export interface ScriptedModel {
	/** Base URL, as an OpenAI credential takes it. */
	url: string;
	requests: ChatRequest[];
	close(): Promise<void>;
}

/**
 * Speaks a language model's protocol with a fixed mind: it makes one tool call, and then says what
 * came of it.
 */
export async function startScriptedModel(call: ToolCall): Promise<ScriptedModel> {
	const requests: ChatRequest[] = [];
	const app = fastify();
	app.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }) => {
		requests.push(body);
		const result = body.messages.find(({ role }) => role === 'tool');
		const toolCall = {
			id: 'call_1',
			type: 'function',
			function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
		};
		const message = result
			? { role: 'assistant', content: `Done: ${JSON.stringify(result.content)}` }
			: { role: 'assistant', content: null, tool_calls: [toolCall] };
		return {
			id: `chatcmpl-${requests.length}`,
			object: 'chat.completion',
			created: Math.floor(Date.now() / 1000),
			model: 'scripted',
			choices: [{ index: 0, message, finish_reason: result ? 'stop' : 'tool_calls' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });
	return { url: `${origin}/v1`, requests, close: async () => await app.close() };
}
