import { existsSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/processes/until';
import { itemsOf } from '../support/nodes';
import type { Document } from '../../support/serviceClient';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { CREDENTIALS, Workshop } from './support/workshop';

describe.each(CREDENTIALS)(
	'One trigger for many workflows, and what it missed, with %i credential(s)',
	(credentials) => {
		let workshop: Workshop;
		let ids: Record<'filing' | 'following' | 'reconciling' | 'trigger', string>;

		beforeAll(async () => {
			workshop = await Workshop.open(credentials);
			const filing = await workshop.publish('file-a-completed-document');
			const following = await workshop.publish('follow-up-a-document');
			const reconciling = await workshop.import('reconcile-missed-events');
			const trigger = await workshop.publish('one-trigger-many-workflows');
			ids = { filing, following, reconciling, trigger };
		}, STAGE_TIMEOUT_MS);
		afterAll(async () => await workshop?.close());

		const runsOf = async (workflow: keyof typeof ids) =>
			(await workshop.n8n.api.executions(ids[workflow])).length;

		/** The statuses in which the register has seen a document and its recipients. */
		async function registered({ id, recipients }: Document): Promise<Array<Set<unknown>>> {
			const rows = await workshop.rows('eSign register');
			return [id, ...recipients.map((recipient) => recipient.id)].map(
				(subject) =>
					new Set(
						rows.filter(({ subject_id }) => subject_id === subject).map(({ status }) => status),
					),
			);
		}

		/** The status of every document and of every recipient at the service. */
		async function statuses(): Promise<Map<string, string>> {
			const documents = await workshop.service.documents();
			return new Map(
				documents
					.flatMap((document) => [document, ...document.recipients])
					.map(({ id, status }) => [id, status]),
			);
		}

		const fileOf = ({ id, title }: Document, variant: string) =>
			join(workshop.folder, `${id} ${title} (${variant}).pdf`);

		it('one endpoint serves all: each event starts the workflow responsible, and is noted in the register', async () => {
			const { control } = workshop.sandbox;
			expect(await workshop.service.endpoints()).toHaveLength(1);
			const signed = await workshop.service.send('To file', [
				'ada@example.com',
				'grace@example.com',
			]);
			for (const [index, { id }] of signed.recipients.entries()) {
				const noted = async (status: string) =>
					await until(
						`${status} to be noted`,
						async () => (await registered(signed))[index + 1]?.has(status) || undefined,
					);
				await control.view(id);
				await noted('viewed');
				await control.sign(id);
				await noted('signed');
			}
			const declined = await workshop.service.send('Declined', [
				'ada@example.com',
				'alan@example.com',
			]);
			await control.decline(String(declined.recipients[0]?.id));
			const cancelled = await workshop.service.send('Cancelled', ['ada@example.com']);
			await workshop.service.api('POST', `/documents/${cancelled.id}/cancel`);
			// Sent, viewed twice, signed twice, completed; sent, declined; sent, cancelled; whatever else
			// the service tells. Events of the same instant are noted in either order: every status has
			// its row, and none takes another's place.
			const last = { completed: signed, declined, cancelled };
			await until('the register to hold each status of everything', async () => {
				const seen = await Promise.all(
					Object.values(last).map(async (document) => (await registered(document))[0]),
				);
				return (
					Object.keys(last).every(
						(end, at) => seen[at]?.has('in_progress') && seen[at]?.has(end),
					) || undefined
				);
			});

			const [filing] = await workshop.n8n.api.finishedExecutions(ids.filing, 1);
			expect(itemsOf(filing, 'For a completed document')).toMatchObject([
				{ json: { document_id: signed.id, title: 'To file', status: 'completed' } },
			]);
			for (const variant of ['signed', 'certificate']) {
				expect((await readFile(fileOf(signed, variant))).subarray(0, 5).toString()).toBe('%PDF-');
			}
			const rows = await workshop.rows('eSign follow-ups');
			expect(rows).toHaveLength(2);
			expect(rows).toEqual(
				expect.arrayContaining([
					expect.objectContaining({ document_id: declined.id, what_happened: 'declined' }),
					expect.objectContaining({ document_id: cancelled.id, what_happened: 'cancelled' }),
				]),
			);
			const executions = await workshop.n8n.api.finishedExecutions(ids.trigger, 10);
			expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
			expect(await runsOf('filing')).toBe(1);
			expect(await runsOf('following')).toBe(3);
		});

		it('an hour later nothing that the trigger has dealt with is started again', async () => {
			const before = [await runsOf('filing'), await runsOf('following')];
			const execution = await workshop.execute(ids.reconciling, 'Every hour');
			expect(execution.status).toBe('success');
			expect([await runsOf('filing'), await runsOf('following')]).toEqual(before);
		});

		it('after an outage every document that changed in it is found, and dealt with once', async () => {
			const { control } = workshop.sandbox;
			const open = await workshop.service.send('Open before the outage', [
				'ada@example.com',
				'grace@example.com',
			]);
			const toDecline = await workshop.service.send('Declined in the outage', ['ada@example.com']);
			const untouched = await workshop.service.send('Untouched', ['ada@example.com']);
			await until(
				'the register to know them',
				async () => (await registered(untouched))[0]?.has('in_progress') || undefined,
			);
			await workshop.execute(ids.reconciling, 'Every hour');
			// With its endpoint the trigger takes the delivery log along: nothing is left that a replay
			// could fetch.
			await workshop.n8n.api.unpublish(ids.trigger);
			const before = { filing: await runsOf('filing'), following: await runsOf('following') };
			const then = await statuses();
			for (const { id } of open.recipients) await control.sign(id);
			await control.decline(String(toDecline.recipients[0]?.id));
			const born = await workshop.service.complete('Sent and signed in the outage', [
				'alan@example.com',
			]);

			const found = await workshop.execute(ids.reconciling, 'Every hour');

			const changed = itemsOf(found, 'Not seen like this').map(({ json }) => json.subject_id);
			const now = await statuses();
			expect(changed.sort()).toEqual(
				[...now.keys()].filter((subject) => now.get(subject) !== then.get(subject)).sort(),
			);
			expect(changed).toEqual(expect.arrayContaining([open.id, toDecline.id, born.id]));
			expect(changed).not.toContain(untouched.id);
			for (const document of [open, born])
				expect(existsSync(fileOf(document, 'signed'))).toBe(true);
			expect(await runsOf('filing')).toBe(before.filing + 2);
			expect(await runsOf('following')).toBe(before.following + 1);
			expect(await workshop.rows('eSign follow-ups')).toEqual(
				expect.arrayContaining([
					expect.objectContaining({ document_id: toDecline.id, what_happened: 'declined' }),
				]),
			);

			const again = await workshop.execute(ids.reconciling, 'Every hour');
			expect(itemsOf(again, 'Not seen like this')).toEqual([]);
			expect(await runsOf('filing')).toBe(before.filing + 2);
		});

		it('what could not be filed is not noted as seen, and is filed at the next look', async () => {
			const document = await workshop.service.complete('Refused at first', ['ada@example.com']);
			const path = `/documents/${document.id}/files/signed`;
			const refused = { method: 'GET', path, kind: 'status', status: 403 } as const;
			await workshop.sandbox.control.fault({ ...refused, when: 'before', times: 1 });

			await workshop.execute(ids.reconciling, 'Every hour');
			expect((await registered(document))[0]).toEqual(new Set());
			await workshop.execute(ids.reconciling, 'Every hour');

			expect((await registered(document))[0]).toEqual(new Set(['completed']));
			expect((await stat(fileOf(document, 'signed'))).size).toBeGreaterThan(1000);
			await rm(fileOf(document, 'signed'));
		});
	},
);
