import { SEED } from '../../../harness/nightly';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { inNode } from '../support/inNode';
import { JumpClock } from '../support/jumpClock';
import { quickClient } from '../support/quickClient';
import { Direct, ROLES } from '../support/scenarios';
import { seededRandom } from '../../../harness/seededRandom';
import { VirtualClock } from '../support/virtualClock';

const ITEMS = 10;
const SCHEDULES = 60;

describe('A batch of ten template sends', () => {
	const clock = new JumpClock();
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ rateLimit: 0, clock });
	});
	afterAll(async () => await sandbox.close());

	it(`under ${SCHEDULES} random schedules of faults hides nothing and sends nothing twice`, async () => {
		const random = seededRandom(SEED);
		let given = 0;
		const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T;
		for (let schedule = 0; schedule < SCHEDULES; schedule++) {
			await sandbox.control.reset();
			const direct = new Direct(sandbox);
			const id = await direct.template('Mutual NDA');
			for (let fault = 0; fault < 4; fault++) {
				const [method, path] = pick(
					['POST', '/templates/*/send'],
					['POST', '/templates/*/send'],
					['GET', '/documents'],
				);
				const kind = pick('status' as const, 'drop' as const);
				const status = pick(500, 502, 503);
				await sandbox.control.fault({
					method: method as 'GET' | 'POST',
					path: path as string,
					when: pick('before', 'after'),
					kind,
					...(kind === 'status' && { status }),
					times: pick(1, 2),
				});
			}
			const client = quickClient({ clock, attempts: 12 });
			const titles = Array.from({ length: ITEMS }, (_, item) => (item % 3 === 0 ? 'The same' : `Item ${item}`));
			const failures: unknown[] = [];
			const { value: outputs } = await inNode({ baseUrl: sandbox.url, apiKey: sandbox.keys.test }, async (context) => {
				const documents = [];
				for (const title of titles) {
					const body = { recipients: ROLES, title };
					const call = client.call(context, 'POST /templates/{id}/send', { path: { id }, body });
					documents.push(...(await call.then((document) => [document]).catch((error) => (failures.push(error), []))));
				}
				return documents;
			});
			await sandbox.control.clearFaults();
			const kept = await direct.list('/documents?limit=100');
			expect({ schedule, ids: outputs.map((document) => document.id).sort() }).toEqual({
				schedule,
				ids: kept.map((document) => document.id).sort(),
			});
			// A call whose answer is lost twice is given up, and it is known that it has created nothing.
			expect(outputs.length + failures.length).toBe(ITEMS);
			for (const failure of failures) expect(failure).toMatchObject({ context: { outcome: 'looked for' } });
			given += outputs.length;
		}
		expect(given).toBeGreaterThan(SCHEDULES * ITEMS * 0.9);
	});
});

describe('Sixty template sends at ten per three seconds', () => {
	it('take no longer than the limit makes them, and none is refused', async () => {
		const clock = new VirtualClock(Date.now());
		const sandbox = await startSandbox({ rateLimit: 10, rateWindow: 3, clock });
		try {
			const direct = new Direct(sandbox);
			const id = await direct.template('Mutual NDA');
			await clock.run(clock.sleep(3000));
			const begin = clock.now();
			const before = (await sandbox.control.requests()).length;
			const client = quickClient({ clock });
			await clock.run(
				inNode({ baseUrl: sandbox.url, apiKey: sandbox.keys.test }, async (context) => {
					for (let item = 0; item < 60; item++) {
						const body = { recipients: ROLES, title: `Item ${item}` };
						await client.call(context, 'POST /templates/{id}/send', { path: { id }, body });
					}
				}),
			);
			const requests = (await sandbox.control.requests()).slice(before);
			expect(requests.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
			expect(15_000 / (clock.now() - begin)).toBeGreaterThanOrEqual(0.97);
		} finally {
			await sandbox.close();
		}
	});
});
