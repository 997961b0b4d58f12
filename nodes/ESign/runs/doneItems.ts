import type { INodeExecutionData } from 'n8n-workflow';
import { forgetOldest } from '../client';

/** Items of all lines of executions: each takes some four kilobytes. */
const MOST_ITEMS = 5_000;

const MOST_IDS = 10_000;

/**
 * What items have done in this process. Somebody may retry an older execution again, whose saved data knows nothing of what
 * its retries have done since.
 */
export class DoneItems {
	private readonly outputs = new Map<string, INodeExecutionData[]>();

	/** The line of executions whose item has put out an id. */
	private readonly lines = new Map<string, string>();

	get(item: string): INodeExecutionData[] | undefined {
		return this.outputs.get(item);
	}

	add(item: string, line: string, output: INodeExecutionData[]): void {
		this.outputs.set(item, output);
		forgetOldest(this.outputs, MOST_ITEMS);
		for (const { json } of output) {
			if (typeof json.id === 'string') this.lines.set(json.id, line);
		}
		forgetOldest(this.lines, MOST_IDS);
	}

	/** Nobody can retry it. */
	forget(item: string): void {
		this.outputs.delete(item);
	}

	lineOf(id: string): string | undefined {
		return this.lines.get(id);
	}
}

export const doneItems = new DoneItems();
