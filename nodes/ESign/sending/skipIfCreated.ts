import { NodeApiError } from 'n8n-workflow';
import { asThrown, client, fingerprint, leavesOpen, serviceOf, type Document } from '../client';
import { documentsKnownSince, momentOf, refreshed } from './documentList';
import { likenessKey, likenessOf } from './likeness';
import { isRetry } from './line';
import { SENT_STATUSES, type Wanted } from './wanted';

const HOUR_MS = 3_600_000;

/** What whole seconds leave out. */
const TOLERANCE_MS = 3_000;

/**
 * Creates a document, unless there is one with the same title for the same people
 * (docs/architecture.md section 4). It is called in turn by title and people. n8n's memory has them
 * from before the look until the document is there: who finds them there without a document, on
 * another worker or after a crash, waits until nothing can come of it and looks again.
 *
 * @throws NodeApiError also if the service cannot be asked; then nothing is created
 */
export async function skipIfCreated<Made extends Document>(
	wanted: Wanted,
	withinHours: number,
	create: () => Promise<Made>,
): Promise<Document> {
	const { item, memory } = wanted;
	const { workspaceMode } = await serviceOf(item.context);
	const key = likenessKey(await wanted.likeness());
	const entry = `creating ${fingerprint([workspaceMode, key])}`;
	const [isUnderWay = false] = await memory.record(entry).catch(() => []);

	let existing = await find(wanted, key, withinHours, false);
	if (!existing && isUnderWay) {
		const { requestTimeoutMs, lateEffectMs } = client.settings;
		const certainAt = client.now() + requestTimeoutMs + lateEffectMs;
		await client.waitUntilCertain(item.context, 'POST /documents', certainAt, item.index);
		existing = await find(wanted, key, withinHours, true);
	}

	const result = existing ?? (await create().catch(forgetIfRefused));
	await memory.forget(entry).catch(() => undefined);
	return existing ? Object.assign({}, existing, { already_existed: true }) : result;

	async function forgetIfRefused(error: unknown): Promise<never> {
		if (!leavesOpen(error)) await memory.forget(entry).catch(() => undefined);
		throw asThrown(error);
	}
}

async function find(
	{ item, kept, send }: Wanted,
	key: string,
	withinHours: number,
	isAnew: boolean,
): Promise<Document | undefined> {
	const { beganAt } = kept.line;
	const withinMs = withinHours * HOUR_MS;
	const lineMs =
		isRetry(item.context) && beganAt !== undefined ? client.elapsedSince(momentOf(beganAt)) : 0;
	const ageMs = Math.max(withinMs, lineMs);
	const statuses = send ? SENT_STATUSES : [...SENT_STATUSES, 'draft'];
	const since = momentOf(client.moment().wallClock - ageMs);
	try {
		const known = await documentsKnownSince(item, since, isAnew);
		const alike = known.filter(({ document }) => likenessKey(likenessOf(document)) === key);
		for (const one of alike.reverse()) {
			const age = await client.ageOf(item.context, one.document);
			if (age > ageMs + TOLERANCE_MS) continue;
			const document = await refreshed(item, one);
			if (document && statuses.includes(document.status)) return document;
		}
		return undefined;
	} catch (error) {
		if (error instanceof NodeApiError) {
			const why =
				'Nothing was created or sent, because it is not known whether the document exists already.';
			error.description = [error.description, why].filter(Boolean).join(' ');
		}
		throw asThrown(error);
	}
}
