import type { INodeParameters } from 'n8n-workflow';
import { client } from '../../../nodes/ESign/client';
import { JumpClock } from '../../client/support/jumpClock';
import { forBoth } from '../everyOperation/cases/case';
import { peopleOf, Workbench } from './workbench';

export { SIGNERS } from '../everyOperation/cases/case';

/** A locator whose ID comes from the item. */
export const fromItem = (name: string): INodeParameters => ({
	__rl: true,
	mode: 'id',
	value: `={{ $json.${name} }}`,
});

/**
 * The workbench of a test file: opened before its tests, back at the seed and at its key before
 * each of them. Node and sandbox go by one clock, which nobody waits for.
 */
export let bench: Workbench;
export let clock: JumpClock;

export function openBench(): void {
	beforeAll(async () => {
		clock = new JumpClock();
		client.settings.clock = clock;
		bench = await Workbench.open({ rateLimit: 0, clock });
	});
	beforeEach(async () => {
		await bench.sandbox.control.reset();
		bench.takeRequests();
		bench.useKey();
	});
	afterAll(async () => await bench.close());
}

/** Two documents of one signer each, in the state that the test needs. */
export async function documents(send: boolean) {
	return await forBoth(async ({ email }) => {
		const { id, recipients } = await bench.direct[send ? 'send' : 'draft']('Contract', [
			String(email),
		]);
		return { documentId: id, recipientId: String(recipients[0]?.id) };
	});
}

/** Both roles of the NDA, filled. */
export const NDA_PEOPLE = peopleOf(
	{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' },
	{ role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' },
);

export const templateIds = async () => ({
	nda: await bench.direct.template('Mutual NDA'),
	offer: await bench.direct.template('Offer Letter'),
});

/** What the service itself answers to a GET. */
export const answerOf = async (path: string): Promise<unknown> =>
	await bench.direct.api('GET', path);
