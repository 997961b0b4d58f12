import type { Document, ServiceClient } from '../../../../harness/serviceClient';

/** A document from a template, as the service answers. */
export type SentTemplate = Document & {
	title: string;
	recipients: Array<Document['recipients'][number] & { role: string | null }>;
	embed_links?: Array<{ recipient_id: string; url: string }>;
};

/** The documents that exist after `act` and did not before, oldest first. */
export async function sentSince(service: ServiceClient, act: () => Promise<unknown>): Promise<SentTemplate[]> {
	const before = new Set((await service.documents()).map(({ id }) => id));
	await act();
	const after = (await service.documents()) as SentTemplate[];
	return after.filter(({ id }) => !before.has(id)).reverse();
}
