import { RecentMap } from '../../client';
import { EntrySet } from '../../messages/entrySet';
import type { WaitAnswer, WaitingExecution } from '../../messages/message';

const MAX_WAITING = 1_000;
/**
 * n8n looks once a minute which executions resume by themselves; the trigger's own look comes once
 * an hour.
 */
const AFTER_LIMIT_MS = 3_600_000;
/** An execution that waits without a limit is forgotten then; a document expires long before. */
const LONGEST_WAIT_MS = 400 * 86_400_000;

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
	readonly lastCalledFor = new RecentMap<string, number>(MAX_WAITING);

	constructor() {
		// Two processes may each have taken some that the other has not heard of.
		super(2 * MAX_WAITING, mergeWaits);
	}

	/** Notes for which documents an execution waits; without any it does not wait any longer. */
	register(asked: WaitingExecution): WaitAnswer {
		const held = this.get(asked.id);
		if (asked.documents.length === 0) {
			this.remove(asked.id);
			return 'taken';
		}
		if (!held && this.size >= MAX_WAITING) return 'full';

		this.lastCalledFor.delete(asked.id);
		// What a wait says again is as late as what it has said.
		this.merge([{ ...asked, at: held?.at ?? asked.at }]);
		return 'taken';
	}

	/** The execution has said which documents are open. */
	reopen(wait: WaitingExecution, documents: string[]): void {
		this.keep({ ...wait, documents, at: Math.max(Date.now(), wait.at + 1) });
	}

	/** Forgets those whose time is over; for good only where n8n saves static data afterwards. */
	dropPast(): void {
		for (const { id } of this.all().filter(isPast)) this.remove(id);
	}

	/**
	 * Takes documents that have ended away from whoever waits for them. @returns whether somebody
	 * does
	 */
	countDown(hasEnded: (id: string) => boolean): boolean {
		let isWaitedFor = false;
		for (const wait of this.all()) {
			const documents = wait.documents.filter((id) => !hasEnded(id));
			if (documents.length === wait.documents.length) continue;
			this.keep({ ...wait, documents });
			isWaitedFor = true;
		}
		return isWaitedFor;
	}
}
