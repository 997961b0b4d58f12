import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startSandbox } from '../../sandbox';
import { forward } from '../support/forward';
import { ServiceClient } from '../support/serviceClient';
import { ADA, createAndSend } from '../actions/support/workbench';
import { REFUSED, SEND } from './support/losses';
import { esign, GIVEN, outputsOf, Workflows } from './support/workflows';

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

/** The key of `second` opens another workspace, at the same address. */
async function inTwoWorkspaces(work: (second: ServiceClient) => Promise<void>): Promise<void> {
	const second = await startSandbox({ rateLimit: 0, clock: service.clock });
	const { apiKey, baseUrl: first } = service.credential;
	const key = second.keys.test;
	const { baseUrl, server } = await listenFor(key, first, second.url);
	const decrypted = jest.spyOn(service.n8n.credentials, 'getDecrypted');
	decrypted.mockImplementation(async (...[, node]: unknown[]) => {
		const { id } = node as { id: string };
		return await Promise.resolve({ baseUrl, apiKey: id === 'second' ? key : apiKey });
	});
	try {
		await work(new ServiceClient(second.url, key));
	} finally {
		server.closeAllConnections();
		server.close();
		await second.close();
	}
}

const SECOND = { credentials: { eSignApi: { id: 'second', name: 'Second' } } };

it('With Skip If Created, what one workspace has sent is not there in another one', async () => {
	await inTwoWorkspaces(async (second) => {
		const additionalFields = { skipIfCreatedWithin: 24 };
		const parameters = createAndSend('NDA', ADA, { additionalFields });
		const one = esign('One', parameters);
		const two = esign('Two', parameters, SECOND);
		const nodes = [GIVEN, one, { ...GIVEN, name: 'Again' }, two];
		const lines = ['Given > One', 'One > Again', 'Again > Two'];
		const run = await workflows.run(workflows.flow(nodes, ...lines));
		const documents = await second.documents();
		expect(outputsOf(run, 'Two')).toMatchObject(documents.map(({ id }) => ({ id })));
		expect(documents.map(({ status }) => status)).toEqual(['in_progress']);
		await expect(service.titles()).resolves.toEqual(['NDA']);
	});
});

it('A draft that was refused is not continued by a node with the key of another workspace', async () => {
	await inTwoWorkspaces(async (second) => {
		service.lose('POST', SEND, REFUSED);
		await workflows.run(workflows.list(createAndSend('NDA')));
		const run = await workflows.run(workflows.list(createAndSend('NDA'), SECOND));
		expect(run.data.resultData.error).toBeUndefined();
		const documents = await second.documents();
		expect(outputsOf(run)).toMatchObject(documents.map(({ id }) => ({ id })));
		expect(documents.map(({ status }) => status)).toEqual(['in_progress']);
		await expect(service.statuses()).resolves.toEqual(['draft']);
	});
});
