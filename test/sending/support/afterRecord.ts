import type { LossyService } from './lossyService';

/** What happens once, after n8n has recorded such an entry, and before it says so. */
export function afterRecord(
	{ memories }: LossyService,
	entry: RegExp,
	then: () => Promise<void> | void,
): void {
	const record = memories.checkProcessedAndRecord.bind(memories);
	memories.checkProcessedAndRecord = async (entries, ...more) => {
		const answer = await record(entries, ...more);
		if (entry.test(String(entries[0]))) {
			memories.checkProcessedAndRecord = record;
			await then();
		}
		return answer;
	};
}
