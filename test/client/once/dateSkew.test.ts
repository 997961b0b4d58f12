import { SEED, sized } from '../../../harness/nightly';
import fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { Client, type Clock } from '../../../nodes/ESign/client';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { inNode } from '../support/inNode';
import { JumpClock } from '../support/jumpClock';
import { Direct, ROLES } from '../support/scenarios';

const HOUR = 3_600_000;
const clock = new JumpClock();

/** How far the clock of the service is ahead of ours. */
let ahead = 0;

const serviceClock: Clock = {
	now: () => clock.now() + ahead,
	sleep: async (milliseconds) => await clock.sleep(milliseconds),
};

let sandbox: Sandbox;
let direct: Direct;
let server: Server;

/** What every answer says of the time, and how often the answer to a creating call is lost. */
let dateOf: () => string | undefined;
let lost = 0;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0, clock: serviceClock });
	direct = new Direct(sandbox);
	server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const { method = 'GET', url = '', headers } = request;
			const body = method === 'GET' ? undefined : Buffer.concat(chunks);
			const sent = { authorization: String(headers.authorization), 'content-type': 'application/json' };
			void fetch(new URL(url, sandbox.url), { method, body, headers: sent }).then(async (answer) => {
				const text = await answer.text();
				if (method === 'POST' && lost-- > 0) return request.socket.destroy();
				response.sendDate = false;
				const date = dateOf();
				if (date !== undefined) response.setHeader('date', date);
				response.writeHead(answer.status, { 'content-type': 'application/json' });
				response.end(text);
				return undefined;
			});
		});
	});
	server.keepAliveTimeout = 72_000;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	await sandbox.close();
});

const skewed = (ahead: number) => new Date(clock.now() + ahead).toUTCString();

const date: fc.Arbitrary<{ said: () => string | undefined; ahead?: number }> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.integer({ min: -24 * HOUR, max: 24 * HOUR }).map((ahead) => ({ said: () => skewed(ahead), ahead })),
	},
	{ weight: 1, arbitrary: fc.constantFrom('', 'soon', '0', 'Fri, 99 Foo').map((text) => ({ said: () => text })) },
	{ weight: 1, arbitrary: fc.constant({ said: () => undefined }) },
);

describe('A Date header that is wrong by hours, absent or malformed', () => {
	it('neither hides what a lost answer has created nor passes off what was there before', async () => {
		const property = fc.asyncProperty(
			date,
			fc.integer({ min: 0, max: 30 }),
			fc.boolean(),
			fc.boolean(),
			async ({ said }, hoursBefore, hasOlder, hasCreated) => {
				await sandbox.control.reset();
				dateOf = said;
				lost = 0;
				const client = new Client({ clock });
				const credential = {
					baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
					apiKey: sandbox.keys.test,
				};
				const request = { path: { id: await direct.template('Mutual NDA') }, body: { recipients: ROLES, title: 'T' } };
				const send = async (title: string) =>
					await inNode(credential, async (context) => {
						const body = { ...request.body, title };
						return (await client.call(context, 'POST /templates/{id}/send', {
							...request,
							body,
						})) as IDataObject;
					}).then(
						({ value }) => ({ id: String(value.id), said: '' }),
						(error: Error) => ({ id: undefined, said: error.message }),
					);
				// Somebody else made the same document some hours ago.
				const older = new Client({ clock });
				if (hasOlder) {
					await inNode({ baseUrl: sandbox.url, apiKey: sandbox.keys.test }, async (context) => {
						await older.call(context, 'POST /templates/{id}/send', request);
					});
					await clock.sleep(hoursBefore * HOUR + 70_000);
				}
				if (hasCreated) await send('Another');
				const before = (await direct.list('/documents')).map(({ id }) => id);
				lost = 1;
				const { id, said: message } = await send('T');
				const made = (await direct.list('/documents'))
					.map((document) => document.id)
					.filter((one) => !before.includes(one));
				expect(made).toHaveLength(1);
				if (id === undefined) expect(message).toContain(made[0]);
				else expect(id).toBe(made[0]);
				// What the service itself has written decides.
				if (hasCreated) expect(id).toBe(made[0]);
			},
		);
		await fc.assert(property, { numRuns: sized(25, 250), seed: SEED });
	});
});

describe('The clock of the service is set', () => {
	it.each([-48, -2, -0.05, 0.05, 2])(
		'by %d hours after something was created: what a lost answer has created is not sent again',
		async (hours) => {
			await sandbox.control.reset();
			ahead = 0;
			dateOf = () => skewed(ahead);
			lost = 0;
			const client = new Client({ clock });
			const { port } = server.address() as AddressInfo;
			const credential = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: sandbox.keys.test };
			const path = { id: await direct.template('Mutual NDA') };
			const send = async (title: string) =>
				await inNode(credential, async (context) => {
					const body = { recipients: ROLES, title };
					return await client.call(context, 'POST /templates/{id}/send', { path, body });
				}).then(
					({ value }) => String(value.id),
					(error: Error) => error.message,
				);
			await send('Another');
			ahead = hours * HOUR;
			lost = 1;
			const told = await send('T');
			ahead = 0;
			const made = (await direct.list('/documents')).filter(({ title }) => title === 'T');
			expect(made).toHaveLength(1);
			expect(told).toContain(made[0]?.id);
		},
	);
});
