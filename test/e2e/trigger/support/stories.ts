import { NIGHTLY, sized } from '../../../support/nightly';
import { until } from '../../../support/processes/until';
import type { Exchange } from '../../../support/recordingProxy';
import type { Document, ServiceClient } from '../../../support/serviceClient';
import type { Execution } from '../../../support/n8nServer/apiClient';
import { eventsOf } from '../../support/runs';
import { acceptedOf, eventIdsOf } from './deliveries';

/**
 * What becomes of a document after it is sent to one signer, and the events that the service then
 * delivers.
 */
export const STORIES = {
	completed: ['document.sent', 'recipient.viewed', 'recipient.signed', 'document.completed'],
	declined: ['document.sent', 'recipient.viewed', 'document.declined'],
	cancelled: ['document.sent', 'document.cancelled'],
	expired: ['document.sent', 'document.expired'],
	sent: ['document.sent'],
} as const;

export type Story = keyof typeof STORIES;

/** The seven event types of docs/service.md section 6. */
export const EVERY_EVENT = [...new Set(Object.values(STORIES).flat())].sort();

/** A document, and what is to become of it. */
export interface Plot {
	story: Story;
	document: Document;
}

const many = (count: number, story: Story) => Array<Story>(count).fill(story);

/** Stories with events of all seven types, at night more than by day. */
const BURST: Story[] = NIGHTLY
	? [
			...many(30, 'completed'),
			...many(10, 'declined'),
			...many(13, 'cancelled'),
			...many(12, 'expired'),
		]
	: [
			...many(9, 'completed'),
			...many(3, 'declined'),
			...many(4, 'cancelled'),
			...many(3, 'expired'),
			'sent',
		];

/** How many events these are. */
export const BURST_EVENTS = sized(60, 200);

/**
 * Documents that move at once in the burst, with up to four deliveries each: more than n8n can take
 * up at a time, and few enough to be answered within the ten seconds that the service waits. On two
 * cores n8n starts some ten executions a second: of 200 deliveries in one instant the last would be
 * too late, whatever the trigger does.
 */
const AT_ONCE = 6;

/** Makes the drafts, which is no event yet, so that the events themselves can come in one burst. */
export async function draft(service: ServiceClient, stories: readonly Story[]): Promise<Plot[]> {
	const plots: Plot[] = [];
	for (const [index, story] of stories.entries()) {
		plots.push({
			story,
			document: await service.draft(`${story} ${index}`, [`ada${index}@example.com`]),
		});
	}
	return plots;
}

/**
 * Lets it all happen at once. Resolves when the service has accepted every act, not when it has
 * delivered the events.
 */
export async function play(service: ServiceClient, plots: readonly Plot[]): Promise<void> {
	await Promise.all(plots.map(async (plot) => await act(service, plot)));
}

/** Drafts these documents, and lets it all happen at once. */
export async function happen(service: ServiceClient, stories: readonly Story[]): Promise<void> {
	await play(service, await draft(service, stories));
}

/**
 * Lets the burst happen: another document takes its turn when n8n has accepted all events of one,
 * as recorded.
 */
export async function playBurst(
	service: ServiceClient,
	exchanges: readonly Exchange[],
): Promise<void> {
	const waiting = await draft(service, BURST);
	const turn = async () => {
		for (let plot = waiting.shift(); plot; plot = waiting.shift()) {
			const { id } = plot.document;
			const wanted: number = STORIES[plot.story].length;
			await act(service, plot);
			await until(
				`the events of ${id}`,
				async () => acceptedOf(exchanges, id).length >= wanted || undefined,
			);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, turn));
}

/** Each event of the burst is in one of these executions, and nothing else is. */
export function expectBurst(
	executions: readonly Execution[],
	exchanges: readonly Exchange[],
): void {
	const events = eventsOf(executions);
	expect(executions).toHaveLength(BURST_EVENTS);
	expect(events.map(({ event }) => event).sort()).toEqual(
		BURST.flatMap((story) => STORIES[story]).sort(),
	);
	expect(events.map(({ id }) => id).sort()).toEqual(eventIdsOf(exchanges).sort());
}

async function act(service: ServiceClient, plot: Plot): Promise<void> {
	await service.api('POST', `/documents/${plot.document.id}/send`);
	await end(service, plot);
}

/** Brings about what is to become of a document that is out. */
export async function end(
	service: ServiceClient,
	{ story, document: { id, recipients } }: Plot,
): Promise<void> {
	const { control } = service;
	const recipient = recipients[0]?.id ?? '';
	if (story === 'completed') await control.sign(recipient);
	if (story === 'cancelled') await service.api('POST', `/documents/${id}/cancel`);
	if (story === 'expired') await control.expire(id);
	if (story === 'declined') {
		await control.view(recipient);
		await control.decline(recipient);
	}
}
