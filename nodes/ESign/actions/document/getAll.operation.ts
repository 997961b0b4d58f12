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
	withWaitingFor,
	type Item,
} from '../../operation';
import { MAX_LENGTH } from '../../service/limits';

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

type Filters = ReturnType<typeof filters.read>;

/**
 * The documents that the filters let through, or the first `limit` of them: one list for each
 * status asked for, which the service filters by, and the rest here. A list that is seen to be
 * newest first is read no further than Created After.
 */
export async function execute(item: Item) {
	const { status = [], ...others } = item.read(filters);
	const period = periodOf(item, others);
	const limit = wantedCount(item);
	const isFiltered = Object.keys(others).length > 0;
	const keep = isFiltered ? (one: Document) => matches(one, others, period) : undefined;
	const since = () => period.after;
	// In the order in which a document passes through them: one that moves on meanwhile is met again,
	// not missed.
	const stages = LIFE.filter((stage) => status.includes(stage));
	const found = new Map<string, Document>();
	for (const one of stages.length > 0 ? stages : [undefined]) {
		const request = { query: { status: one }, limit, keep, since };
		for (const document of await item.list(endpoint, request)) found.set(document.id, document);
	}
	return [...found.values()]
		.sort((left, right) => right.created_at.localeCompare(left.created_at))
		.slice(0, limit)
		.map(withWaitingFor);
}

const MS_PER_DAY = 86_400_000;

/** Between which times the documents were created, in milliseconds since 1970. */
type Period = { after: number; until: number };

function periodOf(
	item: Item,
	{ olderThanDays = -Infinity, createdAfter, createdBefore }: Filters,
): Period {
	const after = createdAfter === undefined ? -Infinity : Date.parse(createdAfter);
	const before = createdBefore === undefined ? Infinity : Date.parse(createdBefore);
	const until = Math.min(before, Date.now() - olderThanDays * MS_PER_DAY);
	if (after >= until) {
		const label = until === before ? 'Created Before' : 'Older Than (Days)';
		item.problems.add(
			`Filters > ${label}`,
			'is not later than Created After, so no document can be found',
			'Correct one of the two',
		);
	}
	return { after, until };
}

/** A document whose time cannot be read is left out only where times are asked for. */
function matches(
	{ title, created_at: createdAt, recipients }: Document,
	{ recipientEmail, titleContains }: Filters,
	{ after, until }: Period,
): boolean {
	const at = Date.parse(createdAt);
	return (
		(after === -Infinity || at > after) &&
		(until === Infinity || at < until) &&
		(titleContains === undefined || folded(title).includes(folded(titleContains))) &&
		(recipientEmail === undefined ||
			recipients.some(({ email }) => folded(email) === folded(recipientEmail)))
	);
}

const folded = (text: string) => text.normalize('NFC').toLowerCase();
