import type { Installation, N8nLine } from './installation';

/** Settings of n8n that would leak from the developer's own shell into the server under test. */
const FOREIGN =
	/^(N8N_|DB_|QUEUE_|WEBHOOK_URL$|EXECUTIONS_|GENERIC_|NODES_|NODE_|JEST_|CREDENTIALS_|npm_)/;

/** What only one line of n8n knows; it refuses to start with a module that it does not know. */
const OF_LINE: Record<N8nLine, NodeJS.ProcessEnv> = {
	// Code nodes run in the process itself, as they do on a 1.x that nobody has changed.
	v1: { N8N_RUNNERS_ENABLED: 'false', N8N_DISABLED_MODULES: 'chat-hub' },
	// They fetch lists at the start (MCP servers, models), and take memory that two cores are glad to
	// be spared.
	v2: { N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,chat-hub,workflow-builder' },
};

/**
 * The environment of an n8n that talks to nobody but this machine: no telemetry, no version or
 * template look-ups, no licence renewal, no list of verified packages.
 */
export function serverEnvironment(
	installation: Installation,
	settings: { userFolder: string; port: number; brokerPort: number },
): NodeJS.ProcessEnv {
	const inherited = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
	return {
		...Object.fromEntries(inherited),
		PATH: installation.path,
		NODE_ENV: 'production',
		N8N_USER_FOLDER: settings.userFolder,
		N8N_PORT: String(settings.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		// Node's `localhost` may be ::1 first, where nobody listens.
		N8N_HOST: '127.0.0.1',
		N8N_PROTOCOL: 'http',
		WEBHOOK_URL: `http://127.0.0.1:${settings.port}`,
		N8N_RUNNERS_BROKER_PORT: String(settings.brokerPort),
		N8N_SECURE_COOKIE: 'false',
		N8N_LOG_LEVEL: 'info',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_AI_ENABLED: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '8',
		...OF_LINE[installation.line],
	};
}
