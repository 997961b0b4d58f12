import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startSandbox } from '../../../sandbox';
import { forward } from '../../support/forward';
import { ServiceClient } from '../../support/serviceClient';
import { ADA, createAndSend } from '../../actions/support/workbench';
import { esign, GIVEN, outputsOf, Workflows } from '../support/workflows';

const workflows = new Workflows();
const { service } = workflows;

/** Whoever has the key is at the second of two workspaces, and everybody else at the first. */
async function listenFor(key: string, first: string, second: string) {
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const { method = '', url: path = '', headers } = incoming;
			const target = headers.authorization === `Bearer ${key}` ? second : first;
			const answer = await forward(target, { method, path, headers, body: await buffer(incoming) });
			outgoing.writeHead(answer.status, answer.headers).end(answer.body);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return { baseUrl: `http://127.0.0.1:${port}/v1`, server };
}

it('What one workspace has sent is not there in another one, of which the next node has a key', async () => {
	const second = await startSandbox({ rateLimit: 0, clock: service.clock });
	const { apiKey, baseUrl: first } = service.credential;
	const key = second.keys.test;
	const { baseUrl, server } = await listenFor(key, first, second.url);
	try {
		jest
			.spyOn(service.n8n.credentials, 'getDecrypted')
			.mockImplementation(async (...[, node]: unknown[]) => {
				const { id } = node as { id: string };
				return await Promise.resolve({ baseUrl, apiKey: id === 'second' ? key : apiKey });
			});
		const additionalFields = { skipIfCreatedWithin: 24 };
		const parameters = createAndSend('NDA', ADA, { additionalFields });
		const credentials = { eSignApi: { id: 'second', name: 'Second' } };
		const nodes = [
			GIVEN,
			esign('One', parameters),
			{ ...GIVEN, name: 'Again' },
			esign('Two', parameters, { credentials }),
		];
		const lines = ['Given > One', 'One > Again', 'Again > Two'];
		const run = await workflows.run(workflows.flow(nodes, ...lines));
		const [two] = outputsOf(run, 'Two');
		const [made, ...others] = await new ServiceClient(second.url, key).documents();
		expect(two).toMatchObject({ id: made?.id, status: 'in_progress' });
		expect(others).toEqual([]);
		await expect(service.titles()).resolves.toEqual(['NDA']);
	} finally {
		server.closeAllConnections();
		server.close();
		await second.close();
	}
});
