import { createRequire } from 'node:module';
import { ensureInstalled } from './installation';

/** What a tool answered. */
export interface ToolAnswer {
	content: Array<{ type: string; text: string }>;
	isError?: boolean;
}

/** What is used of the client of the Model Context Protocol's own SDK. */
export interface McpClient {
	connect(transport: unknown): Promise<void>;
	close(): Promise<void>;
	listTools(): Promise<{ tools: OfferedTool[] }>;
	callTool(
		call: { name: string; arguments: Record<string, unknown> },
		resultSchema?: unknown,
		options?: { timeout?: number },
	): Promise<ToolAnswer>;
}

interface OfferedTool {
	name: string;
	description?: string;
	inputSchema: { properties?: Record<string, unknown> };
}

interface Sdk {
	Client: new (self: { name: string; version: string }) => McpClient;
	StreamableHTTPClientTransport: new (url: URL, options: { requestInit: RequestInit }) => unknown;
}

/** An MCP client that is connected to a server; the SDK is the one that n8n brings along. */
export async function connectMcp(url: URL, headers: Record<string, string>): Promise<McpClient> {
	const { n8n } = await ensureInstalled();
	const ofN8n = createRequire(n8n);
	const load = (name: string) => ofN8n(`@modelcontextprotocol/sdk/client/${name}.js`) as Sdk;

	const client = new (load('index').Client)({ name: 'test', version: '1.0.0' });
	const { StreamableHTTPClientTransport } = load('streamableHttp');
	await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
	return client;
}
