import { NIGHTLY, sized } from '../../../../harness/nightly';
import type { Control } from '../../../../sandbox';
import type { Document, ServiceClient } from '../../../../harness/serviceClient';

/** What becomes of a document after it is sent to one signer, and the events that the service then delivers. */
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

/** A draft that is ready to be sent, and what is to become of it. */
export interface Plot {
	story: Story;
	draft: Document;
}

const many = (count: number, story: Story) => Array<Story>(count).fill(story);

/** Stories with events of all seven types, at night more than by day. */
export const BURST: Story[] = NIGHTLY
	? [...many(30, 'completed'), ...many(10, 'declined'), ...many(13, 'cancelled'), ...many(12, 'expired')]
	: [...many(9, 'completed'), ...many(3, 'declined'), ...many(4, 'cancelled'), ...many(3, 'expired'), 'sent'];

/** How many events these are. */
export const BURST_EVENTS = sized(60, 200);

/** How often each event type occurs in these stories. */
export function eventCounts(stories: readonly Story[]): Record<string, number> {
	return countOf(stories.flatMap((story) => STORIES[story]));
}

/** How often each text occurs, sorted by the text. */
export function countOf(texts: readonly string[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const text of [...texts].sort()) counts[text] = (counts[text] ?? 0) + 1;
	return counts;
}

/** Makes the drafts, which is no event yet, so that the events themselves can come in one burst. */
export async function draft(service: ServiceClient, stories: readonly Story[]): Promise<Plot[]> {
	const { id: file } = await service.upload();
	const plots: Plot[] = [];
	for (const [index, story] of stories.entries()) {
		const document = await service.api<Document>('POST', '/documents', {
			title: `${story} ${index}`,
			files: [file],
			recipients: [{ name: 'Ada', email: `ada${index}@example.com` }],
		});
		const place = { type: 'SIGNATURE', pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.3, heightNorm: 0.05 };
		const fields = document.recipients.map(({ id }) => ({ recipientId: id, ...place }));
		await service.api('PUT', `/documents/${document.id}/fields`, { fields });
		plots.push({ story, draft: document });
	}
	return plots;
}

/** Lets it all happen at once. Resolves when the service has accepted every act, not when it has delivered the events. */
export async function play(service: ServiceClient, control: Control, plots: readonly Plot[]): Promise<void> {
	await Promise.all(plots.map(async (plot) => await act(service, control, plot)));
}

/**
 * Keeps that many documents moving at once until all are through.
 *
 * @param delivered resolves when the events of a document have been delivered; only then does another take its place
 */
export async function playInTurns(
	service: ServiceClient,
	control: Control,
	plots: readonly Plot[],
	atOnce: number,
	delivered: (plot: Plot) => Promise<void>,
): Promise<void> {
	const waiting = [...plots];
	const turn = async () => {
		for (let plot = waiting.shift(); plot; plot = waiting.shift()) {
			await act(service, control, plot);
			await delivered(plot);
		}
	};
	await Promise.all(Array.from({ length: atOnce }, turn));
}

async function act(
	service: ServiceClient,
	control: Control,
	{ story, draft: { id, recipients } }: Plot,
): Promise<void> {
	const recipient = recipients[0]?.id ?? '';
	await service.api('POST', `/documents/${id}/send`);
	if (story === 'completed') await control.sign(recipient);
	if (story === 'cancelled') await service.api('POST', `/documents/${id}/cancel`);
	if (story === 'expired') await control.expire(id);
	if (story === 'declined') {
		await control.view(recipient);
		await control.decline(recipient);
	}
}
