import fc from 'fast-check';
import { SEED, sized } from '../../harness/nightly';
import type { WebhookDelivery } from '../../nodes/ESign/client';
import { failuresInARow, missedEvents, uncertainSince, wasSwitchedOff } from '../../nodes/ESign/service/deliveryLog';

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 0, second)).toISOString();

function attempt(event_id: string, attempt: number, second: number, succeeded = false): WebhookDelivery {
	return {
		id: `dlv_${event_id}_${attempt}_${second}`,
		event: 'document.sent',
		event_id,
		document_id: 'doc_1',
		attempt,
		response_status: succeeded ? 200 : 502,
		response_body: null,
		error: null,
		succeeded,
		payload: {
			id: event_id,
			event: 'document.sent',
			mode: 'TEST',
			occurred_at: at(second - attempt),
			document: { id: 'doc_1', status: 'in_progress', title: 'NDA', signed_pdf: null, certificate: null },
		},
		created_at: at(second),
	};
}

const LOG = [
	attempt('evt_late', 1, 40),
	attempt('evt_early', 1, 10),
	attempt('evt_early', 2, 15),
	attempt('evt_retried', 1, 12),
	attempt('evt_retried', 2, 17, true),
	attempt('evt_early', 3, 25),
	attempt('evt_fine', 1, 30, true),
	attempt('evt_replayed', 1, 5, true),
	attempt('evt_replayed', 1, 50),
];

describe('The missed events of a delivery log', () => {
	it('are those no attempt of which succeeded, oldest event first, each as its latest attempt', () => {
		expect(missedEvents(LOG).map(({ id }) => id)).toEqual(['dlv_evt_early_3_25', 'dlv_evt_late_1_40']);
	});

	it('are the same whatever the order of the log', () => {
		const expected = missedEvents(LOG);
		fc.assert(
			fc.property(fc.shuffledSubarray(LOG, { minLength: LOG.length }), (log) => {
				expect(missedEvents(log)).toEqual(expected);
			}),
			{ seed: SEED, numRuns: sized(200, 5_000) },
		);
	});

	it('are none in an empty log', () => {
		expect(missedEvents([])).toEqual([]);
	});
});

describe('The time from which a log says nothing', () => {
	it('begins with the last delivery that arrived', () => {
		expect(uncertainSince(LOG)).toBe(at(30));
	});

	it('begins with the first attempt when nothing ever arrived', () => {
		expect(uncertainSince([attempt('evt_2', 1, 12), attempt('evt_1', 1, 9)])).toBe(at(9));
	});
});

describe('The failures at the end of a log', () => {
	it('are counted back to the last delivery that arrived, whatever the order of the log', () => {
		expect(failuresInARow(LOG)).toBe(2);
		expect(failuresInARow([...LOG].reverse())).toBe(2);
		expect(failuresInARow([])).toBe(0);
	});

	it('have switched the endpoint off when there are twenty', () => {
		const failures = Array.from({ length: 20 }, (_, n) => attempt(`evt_${n}`, 1, n));
		expect(wasSwitchedOff(failures)).toBe(true);
		expect(wasSwitchedOff([...failures.slice(1), attempt('evt_fine', 1, 0, true)])).toBe(false);
	});
});
