import type { Document } from '../../client';
import {
	choices,
	collection,
	EMAIL,
	moment,
	number,
	paging,
	text,
	wantedCount,
	type Item,
} from '../../operation/parameters';
import { MAX_LENGTH } from '../../service/limits';
import { withWaitingFor } from './get.operation';

export const option = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many documents',
	description:
		'List documents of the mode of the API key: all of them, or those with a status, a date, a title or a recipient',
};

/** The statuses in the order in which a document can have them (docs/service.md section 3). */
const LIFE = ['draft', 'in_progress', 'completed', 'declined', 'cancelled', 'expired'];

/** Everything but a status is applied here, because the service filters by nothing else. */
const filters = collection(
	'filters',
	'Filters',
	[
		choices('status', 'Status', {
			options: {
				cancelled: ['Cancelled', 'Withdrawn by the sender'],
				completed: ['Completed', 'Signed by everyone and sealed'],
				declined: ['Declined', 'Refused by a recipient'],
				draft: ['Draft', 'Created, not sent'],
				expired: ['Expired', 'Passed its expiry unsigned'],
				in_progress: ['In Progress', 'Out for signature'],
			},
			default: ['in_progress'],
			description: 'Return only documents with one of these statuses',
		}),
		moment('createdAfter', 'Created After', {
			description: 'Return only documents created after this time, in the timezone of the workflow',
		}),
		moment('createdBefore', 'Created Before', {
			description:
				'Return only documents created before this time, in the timezone of the workflow',
		}),
		number('olderThanDays', 'Older Than (Days)', {
			min: 0,
			default: 7,
			description: 'Return only documents that were created more than this many days ago',
		}),
		text('recipientEmail', 'Recipient Email', {
			max: MAX_LENGTH.email,
			pattern: EMAIL,
			form: 'a valid email address',
			placeholder: 'name@email.com',
			description: 'Return only documents that have a recipient with this address',
		}),
		text('titleContains', 'Title Contains', {
			max: MAX_LENGTH.title,
			placeholder: 'e.g. NDA',
			description: 'Return only documents whose title contains this text, in upper or lower case',
		}),
	],
	{ placeholder: 'Add Filter' },
);

export const description = [...paging, filters];

export const endpoint = 'GET /documents';

export async function execute(item: Item) {
	return (await findDocuments(item, readFilters(item), wantedCount(item))).map(withWaitingFor);
}

type DocumentFilters = ReturnType<typeof readFilters>;

const MS_PER_DAY = 86_400_000;

/** What the filters of one item ask for; dates and an age have become milliseconds since 1970. */
function readFilters(item: Item) {
	const { olderThanDays = -Infinity, createdAfter, createdBefore, ...given } = item.read(filters);
	const after = createdAfter === undefined ? -Infinity : Date.parse(createdAfter);
	const before = createdBefore === undefined ? Infinity : Date.parse(createdBefore);
	const until = Math.min(before, Date.now() - olderThanDays * MS_PER_DAY);
	if (after >= until) {
		const what = 'is not later than Created After, so no document can be found';
		const label = until === before ? 'Created Before' : 'Older Than (Days)';
		item.problems.add(`Filters > ${label}`, what, 'Correct one of the two');
	}
	return { ...given, after, until };
}

/**
 * The documents that the filters let through, or the first `limit` of them: one list for each
 * status asked for, which the service filters by, and the rest here. A list that is seen to be
 * newest first is read no further than Created After.
 */
async function findDocuments(
	item: Item,
	asked: DocumentFilters,
	limit: number | undefined,
): Promise<Document[]> {
	const { status = [], after, until, recipientEmail, titleContains } = asked;
	const isTimed = after > -Infinity || until < Infinity;
	const isLocal = isTimed || recipientEmail !== undefined || titleContains !== undefined;
	const keep = isLocal ? (document: Document) => matches(document, asked) : undefined;
	const since = after > -Infinity ? () => after : undefined;
	// In the order in which a document passes through them: one that moves on meanwhile is met again,
	// not missed.
	const stages = LIFE.filter((stage) => status.includes(stage));
	const found = new Map<string, Document>();
	for (const one of stages.length > 0 ? stages : [undefined]) {
		const request = { query: { status: one }, limit, keep, since };
		for (const document of await item.list('GET /documents', request))
			found.set(document.id, document);
	}
	return [...found.values()]
		.sort((left, right) => right.created_at.localeCompare(left.created_at))
		.slice(0, limit);
}

function matches(
	{ title, created_at: createdAt, recipients }: Document,
	asked: DocumentFilters,
): boolean {
	const { after, until, recipientEmail, titleContains } = asked;
	const at = Date.parse(createdAt);
	return (
		(after === -Infinity || at > after) &&
		(until === Infinity || at < until) &&
		(titleContains === undefined || includes(title, titleContains)) &&
		(recipientEmail === undefined || recipients.some(({ email }) => same(email, recipientEmail)))
	);
}

const folded = (text: string) => text.normalize('NFC').toLowerCase();
const includes = (text: string, part: string) => folded(text).includes(folded(part));
const same = (left: string, right: string) => folded(left) === folded(right);
