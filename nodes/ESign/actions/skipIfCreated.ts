import { NodeApiError, NodeOperationError, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import { isRefusal, isUnsent } from './once/outcomes';
import type { PropertyRule } from './parameters/checks/rules';
import { asThrown, documentsWithin, isAlike, type Document, type DocumentLikeness } from '../transport';

const MS_PER_HOUR = 3_600_000;

export const skipIfCreatedWithin: INodeProperties = {
	displayName: 'Skip If Created Within (Hours)',
	name: 'skipIfCreatedWithin',
	type: 'number',
	typeOptions: { minValue: 0.01 },
	default: 24,
	description:
		'Look first for a document with the same title and the same e-mail addresses, created within this many hours. If there is one, it comes out with already_existed: true, and nothing is created or sent. Set it if a run that was cut off may be started again. The check takes one request per hundred documents created in that period, once per run.',
};

export const skipIfCreatedRule: PropertyRule = {
	label: skipIfCreatedWithin.displayName,
	type: 'number',
	min: 0.01,
};

/** Somebody was written to, and it was not taken back. */
const SENT = ['in_progress', 'completed', 'declined'];

export type ExistingDocument = Document & { already_existed: true };

/** What a creating operation wants, and how it makes it. */
export interface Creation<Created extends Document> {
	/** Undefined: no look. */
	withinHours: number | undefined;
	/** Asked for only if there is a look. */
	likeness: () => Promise<DocumentLikeness>;
	send: boolean;
	/** An earlier try of the item has begun to create it: it goes on from there, whatever the service holds. */
	hasBegun: () => Promise<boolean>;
	/** @param sends is told of a draft that is about to be sent in a request of its own */
	create: (sends: (draft: Document) => void) => Promise<Created>;
}

/** What one run of the node knows of the documents at the service. Every try has a context of its own, and so looks anew. */
interface RunDocuments {
	/** By the hours looked back. */
	lists: Map<number, Promise<Document[]>>;
	/** Made by this run, so that of two equal items only the first is sent. */
	made: Document[];
	/** Drafts of this run that were perhaps sent: the answer was lost, and the service may still be at work on it. */
	maybeSent: Document[];
}

const runs = new WeakMap<IExecuteFunctions, RunDocuments>();

/**
 * Creates a document unless the service has one like it: docs/architecture.md section 9.
 *
 * @throws NodeApiError also if the service cannot be asked; then nothing is created
 */
export async function unlessCreated<Created extends Document>(
	context: IExecuteFunctions,
	itemIndex: number,
	{ withinHours, likeness, send, hasBegun, create }: Creation<Created>,
): Promise<Created | ExistingDocument> {
	const run = runs.get(context) ?? { lists: new Map<number, Promise<Document[]>>(), made: [], maybeSent: [] };
	runs.set(context, run);
	if (withinHours !== undefined && !(await hasBegun())) {
		const wanted = await likeness();
		const listed = await lookBack(context, itemIndex, run, withinHours);
		const statuses = send ? SENT : [...SENT, 'draft'];
		const alike = [...run.made, ...listed].filter(
			(document) => statuses.includes(document.status) && isAlike(document, wanted),
		);
		const [newest] = alike.sort((left, right) => Date.parse(right.created_at) - Date.parse(left.created_at));
		if (newest) return { ...newest, already_existed: true };
		const doubtful = send ? run.maybeSent.find((document) => isAlike(document, wanted)) : undefined;
		if (doubtful) throw mayBeSent(context, itemIndex, doubtful.id);
	}
	let draft: Document | undefined;
	try {
		const created = await create((sending) => (draft = sending));
		run.made.push(created);
		return created;
	} catch (error) {
		// It may exist all the same, and the lists are from before: the next item looks anew.
		if (!isRefusal(error)) {
			run.lists.clear();
			if (draft && !isUnsent(error)) run.maybeSent.push(draft);
		}
		throw asThrown(error);
	}
}

async function lookBack(
	context: IExecuteFunctions,
	itemIndex: number,
	{ lists }: RunDocuments,
	hours: number,
): Promise<Document[]> {
	const list = lists.get(hours) ?? documentsWithin(context, hours * MS_PER_HOUR, itemIndex);
	lists.set(hours, list);
	try {
		return await list;
	} catch (error) {
		lists.delete(hours);
		if (error instanceof NodeApiError) {
			const why = `Nothing was created: whether the document exists already is not known (${skipIfCreatedWithin.displayName}).`;
			error.description = [error.description, why].filter(Boolean).join(' ');
		}
		throw asThrown(error);
	}
}

function mayBeSent(context: IExecuteFunctions, itemIndex: number, id: string): NodeOperationError {
	const message = `An item before this one made the same document, ${id}, and whether it was sent is not known`;
	return new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: `Nothing was created for this item (${skipIfCreatedWithin.displayName}). Look at ${id} before you run it again.`,
	});
}
