import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/**
 * As much of the GitHub API as n8n's GitHub Trigger needs to be published: the one of n8n's own
 * triggers that checks a signature and can be given the address of another server.
 */
export async function startGithub(): Promise<{
	url: string;
	secret: () => string;
	close: () => Promise<void>;
}> {
	let secret = '';
	const server = createServer((request, response) => {
		void (async () => {
			const answer = (status: number, body: object) =>
				response
					.writeHead(status, { 'content-type': 'application/json' })
					.end(JSON.stringify(body));
			if (request.method !== 'POST') return answer(200, {});
			const { config, events } = (await json(request)) as {
				config: { secret: string };
				events: string[];
			};
			secret = config.secret;
			return answer(201, { id: 1, active: true, events });
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		secret: () => secret,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
