import { SEED, sized } from '../../../harness/nightly';
import fc from 'fast-check';
import { ServiceClient } from '../../../harness/serviceClient';
import { Client } from '../../../nodes/ESign/client';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { scriptedItem, type Answer, type Asked } from '../../actions/support/scriptedItem';
import { JumpClock } from '../support/jumpClock';
import { ROLES } from '../support/samples';
import { LOST } from './support/scenario';

const HOUR = 3_600_000;
const clock = new JumpClock();
let sandbox: Sandbox;
let direct: ServiceClient;

/** What every answer says of the time, and how often the answer to a creating call is lost. */
let dateOf: () => string | undefined;
let lost = 0;

beforeAll(async () => {
	sandbox = await startSandbox({ rateLimit: 0, clock });
	direct = new ServiceClient(sandbox.url, sandbox.keys.test);
});
afterAll(async () => await sandbox.close());

/** What the service answers, with the date that it is said to have; or nothing. */
async function answer({ method, path, query, body }: Asked): Promise<Answer> {
	const answered = await direct.api<object>(
		method,
		`${path}?${new URLSearchParams(query as Record<string, string>)}`,
		method === 'GET' ? undefined : body,
	);
	if (method === 'POST' && lost-- > 0) throw Object.assign(new Error(), { code: LOST });
	const date = dateOf();
	return { body: answered, headers: date === undefined ? {} : { date } };
}

const skewed = (ahead: number) => new Date(clock.now() + ahead).toUTCString();

const date: fc.Arbitrary<() => string | undefined> = fc.oneof(
	{
		weight: 6,
		arbitrary: fc.integer({ min: -24 * HOUR, max: 24 * HOUR }).map((by) => () => skewed(by)),
	},
	{
		weight: 2,
		arbitrary: fc.constantFrom('', 'soon', '0', 'Fri, 99 Foo', undefined).map((text) => () => text),
	},
);

const { context } = scriptedItem({}, answer).item;

/** Sends to the same people under this title: the id of what came out, or what was said. */
async function send(title: string, client: Client): Promise<string> {
	const request = {
		path: { id: await direct.template('Mutual NDA') },
		body: { recipients: ROLES, title },
	};
	return await client.call(context, 'POST /templates/{id}/send', request).then(
		({ id }) => id,
		(error: Error) => error.message,
	);
}

it('A Date header that is wrong by hours, absent or malformed neither hides what a lost answer has created nor passes off what was there', async () => {
	const property = fc.asyncProperty(
		date,
		fc.integer({ min: 0, max: 30 }),
		fc.boolean(),
		async (said, hoursBefore, hasOlder) => {
			await sandbox.control.reset();
			dateOf = said;
			lost = 0;
			const client = new Client({ clock });
			// Somebody else made the same document some hours ago.
			if (hasOlder) {
				await direct.api('POST', `/templates/${await direct.template('Mutual NDA')}/send`, {
					recipients: ROLES,
					title: 'T',
				});
				await clock.sleep(hoursBefore * HOUR + 70_000);
			}
			const before = (await direct.list('/documents')).map(({ id }) => id);
			lost = 1;
			const told = await send('T', client);
			const made = (await direct.list('/documents'))
				.map(({ id }) => id)
				.filter((one) => !before.includes(one));
			expect(made).toHaveLength(1);
			expect(told).toContain(made[0]);
		},
	);
	await fc.assert(property, { numRuns: sized(25, 250), seed: SEED });
});
