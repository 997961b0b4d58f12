import fc from 'fast-check';
import { SEED, sized } from '../support/nightly';
import { ServiceClient } from '../support/serviceClient';
import { client } from '../../nodes/ESign/client';
import type { Item } from '../../nodes/ESign/operation/parameters';
import { sendOnce } from '../../nodes/ESign/sending/sendOnce';
import { startSandbox, type Sandbox } from '../../sandbox';
import {
	askWithoutPauses,
	scriptedItem,
	type Answer,
	type Asked,
} from '../actions/support/scriptedItem';
import { JumpClock } from '../client/support/jumpClock';
import { ROLES } from '../client/support/samples';

askWithoutPauses();

const HOUR = 3_600_000;
const clock = new JumpClock();
let sandbox: Sandbox;
let direct: ServiceClient;

/** How far it is ahead of the service, or what it says instead of a time. */
type Said = number | string | undefined;

/** What every answer says of the time. */
let date: Said;

/** What becomes of the next request to send: its answer is lost. */
let loss: 'carried out' | 'not carried out' | undefined;

beforeAll(async () => {
	Object.assign(client.settings, { clock, lateEffectMs: 65_000 });
	sandbox = await startSandbox({ rateLimit: 0, clock });
	direct = new ServiceClient(sandbox.url, sandbox.keys.test);
});
afterAll(async () => await sandbox.close());

/** What the service answers, with the date that it is said to have; or nothing. */
async function answer({ method, path, query, body }: Asked): Promise<Answer> {
	const lost = method === 'POST' ? loss : undefined;
	if (lost) loss = undefined;
	const broken = Object.assign(new Error(), { code: 'ECONNRESET' });
	if (lost === 'not carried out') throw broken;
	const answered = await direct.api<object>(
		method,
		`${path}?${new URLSearchParams(query as Record<string, string>)}`,
		method === 'GET' ? undefined : body,
	);
	if (lost) throw broken;
	if (date === undefined) return { body: answered, headers: {} };
	const shown = typeof date === 'number' ? new Date(clock.now() + date).toUTCString() : date;
	return { body: answered, headers: { date: shown } };
}

const said: fc.Arbitrary<Said> = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: -24 * HOUR, max: 24 * HOUR }) },
	{ weight: 2, arbitrary: fc.integer({ min: -100_000, max: 100_000 }) },
	{ weight: 2, arbitrary: fc.constantFrom('', 'soon', '0', 'Fri, 99 Foo', undefined) },
);

const BODY = { recipients: ROLES, title: 'T' };

/** Sends it, and gives the ID of what came out, or the error. */
async function send(item: Item): Promise<string | Error> {
	const path = { id: await direct.template('Mutual NDA') };
	const make = async (isSent: boolean) =>
		await item.call('POST /templates/{id}/send', { path, body: { ...BODY, send: isSent } });
	const creation = {
		asked: BODY,
		send: true,
		withinHours: undefined,
		title: BODY.title,
		emails: ROLES.map(({ email }) => email),
		direct: async () => await make(true),
		draft: async () => await make(false),
	};
	return await sendOnce(item, creation).then(
		({ id }) => id,
		(error: Error) => error,
	);
}

async function outNow(): Promise<string[]> {
	const documents = await direct.documents();
	return documents.filter(({ status }) => status === 'in_progress').map(({ id }) => id);
}

const seen = { found: 0, named: 0, sent: 0 };

it('A Date header that is wrong neither hides what was sent nor passes off what was there', async () => {
	const property = fc.asyncProperty(
		said,
		fc.integer({ min: 0, max: 30 }),
		fc.boolean(),
		fc.constantFrom('carried out' as const, 'not carried out' as const),
		async (dateOfRun, hoursBefore, hasOlder, fate) => {
			await sandbox.control.reset();
			date = dateOfRun;
			// Somebody else sent the same some hours ago.
			if (hasOlder) {
				const path = `/templates/${await direct.template('Mutual NDA')}/send`;
				await direct.api('POST', path, BODY);
				await clock.sleep(hoursBefore * HOUR + 70_000);
			}
			const before = await outNow();

			loss = fate;
			const { item } = scriptedItem({}, answer);
			const told = await send(item);
			const made = (await outNow()).filter((id) => !before.includes(id));
			if (typeof told === 'string') {
				expect(made).toEqual([told]);
				seen[fate === 'carried out' ? 'found' : 'sent'] += 1;
				return;
			}
			seen.named += 1;
			expect(made).toHaveLength(fate === 'carried out' ? 1 : 0);
			expect(told).toMatchObject({ context: { outcome: 'in doubt' } });
			for (const id of made.length > 0 ? made : before) expect(told.message).toContain(id);
		},
	);
	await fc.assert(property, { numRuns: sized(30, 250), seed: SEED });
	expect(Math.min(seen.found, seen.named, seen.sent)).toBeGreaterThan(2);
});
