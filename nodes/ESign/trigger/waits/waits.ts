import { RecentMap } from '../../client';
import { EntrySet } from '../../messages/entrySet';
import type { WaitingExecution } from '../../messages/message';

const MAX_WAITING = 1_000;
/** What they take in static data, which n8n saves as a whole, in characters. */
const MAX_TEXT = 500_000;
/**
 * n8n looks once a minute which executions resume by themselves; the trigger's own look comes once
 * an hour.
 */
const AFTER_LIMIT_MS = 3_600_000;
/** An execution that waits without a limit is forgotten then; a document expires long before. */
const LONGEST_WAIT_MS = 400 * 86_400_000;
/**
 * So long is remembered that an execution does not wait any longer, for the processes that have not
 * heard of it.
 */
const OVER_IS_KEPT_MS = 86_400_000;
/**
 * Executions that have resumed and are remembered as such; and how many are saved, with those that
 * wait and some room.
 */
const MAX_OVER = 500;
const MAX_SAVED = 2_000;

/**
 * What two processes know of one execution: the later counts. Where both know the same of it, each
 * has heard of some documents that ended: what one of them knows to have ended does not open again.
 */
export function mergeWaits(one: WaitingExecution, other: WaitingExecution): WaitingExecution {
	if (one.at !== other.at) return other.at > one.at ? other : one;
	return { ...one, documents: one.documents.filter((id) => other.documents.includes(id)) };
}

const isPast = ({ at, until = at + LONGEST_WAIT_MS }: WaitingExecution): boolean =>
	until + AFTER_LIMIT_MS <= Date.now();

/** The executions that wait for the documents of a trigger. */
export class Waits extends EntrySet<WaitingExecution> {
	/** Those that are being called in this process. */
	readonly beingCalled = new Set<string>();
	/**
	 * Those that were called, and the `at` that they had then: only a look calls them again for the
	 * same.
	 */
	readonly lastCalledFor = new RecentMap<string, number>(MAX_SAVED);

	constructor() {
		super(MAX_SAVED, mergeWaits);
	}

	waiting(): WaitingExecution[] {
		return this.all().filter((wait) => !wait.isOver && !isPast(wait));
	}

	/** Notes an execution that waits, or that does not wait any longer. */
	register(asked: WaitingExecution): 'taken' | 'full' {
		this.dropFinished();
		const held = this.get(asked.id);
		// The message is late, or was recorded.
		if (held?.isOver) return 'taken';

		this.lastCalledFor.delete(asked.id);
		// What a wait says again is as late as what it has said.
		const wait = { ...asked, at: held?.at ?? asked.at };
		const isEarlier = ({ id, execution }: WaitingExecution) =>
			execution === wait.execution && id !== wait.id;
		for (const earlier of this.waiting().filter(isEarlier)) this.finish(earlier);

		const others = this.waiting().filter(({ id }) => id !== wait.id);
		const hasRoom =
			others.length < MAX_WAITING && JSON.stringify([...others, wait]).length <= MAX_TEXT;
		if (wait.documents.length === 0) this.finish(wait);
		else if (!held && !hasRoom) return 'full';
		else this.keep(wait);
		return 'taken';
	}

	finish(wait: WaitingExecution): void {
		this.reopen({ ...wait, resume: '', isOver: true, until: Date.now() + OVER_IS_KEPT_MS }, []);
	}

	/** The execution has said which documents are open. */
	reopen(wait: WaitingExecution, documents: string[]): void {
		this.keep({ ...wait, documents, at: Math.max(Date.now(), wait.at + 1) });
	}

	/** Forgets what is long over; for good only where n8n saves static data afterwards. */
	dropFinished(): void {
		const over = this.all().filter((wait) => wait.isOver || isPast(wait));
		const past = over.filter((wait, index) => isPast(wait) || index >= MAX_OVER);
		for (const { id } of past) this.remove(id);
	}

	/**
	 * Takes documents that have ended away from whoever waits for them. @returns whether somebody
	 * does
	 */
	countDown(hasEnded: (id: string) => boolean): boolean {
		let isWaitedFor = false;
		for (const wait of this.waiting()) {
			const documents = wait.documents.filter((id) => !hasEnded(id));
			if (documents.length === wait.documents.length) continue;
			this.keep({ ...wait, documents });
			isWaitedFor = true;
		}
		return isWaitedFor;
	}
}
