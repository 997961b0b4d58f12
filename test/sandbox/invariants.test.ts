import fc from 'fast-check';
import { SEED, sized } from '../support/nightly';
import { ALL_EVENTS, ANN, BOB, Receiver, Workspace, type Wire } from './workspace';

/** The table of docs/service.md section 3. */
const MAY_BECOME: Record<string, readonly string[]> = {
	draft: ['in_progress'],
	in_progress: ['completed', 'declined', 'cancelled', 'expired'],
};
const ACTS = [
	'draft',
	'send',
	'cancel',
	'remind',
	'view',
	'sign',
	'decline',
	'reassign',
	'expire',
	'advance',
] as const;
type Act = { act: (typeof ACTS)[number]; mode: 'live' | 'test'; document: number; person: number };

describe('whatever is called and done in whatever order', () => {
	const workspace = Workspace.forTests();
	const receiver = Receiver.forTests();

	async function perform({ act, mode, document, person }: Act, known: Wire[]): Promise<void> {
		const api = workspace[mode];
		if (act === 'draft') {
			known.push(
				await workspace.sendable(api, [ANN, BOB], {
					routing: person % 2 ? 'parallel' : 'sequential',
				}),
			);
			return;
		}
		const { id = 'doc_x' } = known[document % Math.max(1, known.length)] ?? {};
		const now = (await workspace.live.get(`/documents/${id}`)).data;
		const recipients =
			now.recipients ?? (await workspace.test.get(`/documents/${id}`)).data.recipients ?? [];
		const who = recipients[person % Math.max(1, recipients.length)]?.id ?? 'rcp_x';
		const { control } = workspace;
		const done = {
			send: () => api.post(`/documents/${id}/send`),
			cancel: () => api.post(`/documents/${id}/cancel`),
			remind: () => api.post(`/documents/${id}/remind`),
			view: () => control.view(who),
			sign: () => control.sign(who),
			decline: () => control.decline(who),
			reassign: () =>
				control.reassign(who, { name: 'N', email: `n${document}${person}@example.com` }),
			expire: () => control.expire(id),
			advance: () => control.advance(5),
		}[act]();
		// Refusals are part of the game; what must hold is checked from outside.
		await Promise.resolve(done).catch(() => undefined);
	}

	it('keeps the state table, seals what is completed, emits once and never lowers usage', async () => {
		const mode = fc.constantFrom('live' as const, 'test' as const);
		const act = fc.record({
			act: fc.constantFrom(...ACTS),
			mode,
			document: fc.nat(5),
			person: fc.nat(5),
		});
		const acts = fc.array(act, { minLength: 5, maxLength: 30 });
		await fc.assert(
			fc.asyncProperty(acts, async (sequence) => {
				await workspace.control.reset();
				receiver().received.length = 0;
				const hook = { url: receiver().url, events: ALL_EVENTS };
				for (const api of [workspace.live, workspace.test]) await api.post('/webhooks', hook);
				const known: Wire[] = [];
				const statuses = new Map<string, string>();
				let used = 0;
				for (const act of [{ ...sequence[0], act: 'draft', mode: 'live' } as Act, ...sequence]) {
					await perform(act, known);
					for (const { id, mode } of known) {
						const own = mode === 'LIVE' ? workspace.live : workspace.test;
						const { status } = (await own.get(`/documents/${id}`)).data;
						const before = statuses.get(id) ?? 'draft';
						if (status !== before) expect(MAY_BECOME[before]).toContain(status);
						statuses.set(id, status);
						const signed = (await own.get(`/documents/${id}/files/signed`)).status;
						expect(signed).toBe(status === 'completed' ? 200 : 404);
					}
					const now = (await workspace.live.get('/account')).data.usage.documents_used as number;
					expect(now).toBeGreaterThanOrEqual(used);
					used = now;
				}
				await workspace.control.advance(0);
				const emissions = receiver().received.map(({ payload: { event, document, recipient } }) => {
					return `${event} ${String(document.id)} ${(recipient as { id?: string } | undefined)?.id ?? ''}`;
				});
				expect(new Set(emissions).size).toBe(emissions.length);
				expect(emissions.filter((one) => one.startsWith('document.completed')).length).toBe(
					[...statuses.values()].filter((status) => status === 'completed').length,
				);
			}),
			{ numRuns: sized(8, 100), seed: SEED },
		);
	});
});
