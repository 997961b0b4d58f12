import type { INodeExecutionData } from 'n8n-workflow';
import type { ServiceClient } from '../../test/support/serviceClient';
import type { ChainNode } from '../setting/workbench';

/** A piece of work that a user has, as a workflow of either side does it. */
export interface Job {
	name: string;
	/** The fewest API requests that it can be done with, counted by hand. */
	minimum: number;
	/** Why it cannot be fewer. */
	because: string;
	/** Lays the work out at a service that was just reset. */
	prepare(service: ServiceClient): Promise<Task>;
}

export interface Task {
	items: INodeExecutionData[];
	ours: ChainNode[];
	theirs: ChainNode[];
	/** How many items the job returns. */
	outputs: { ours: number; theirs: number };
	/** Ends what `prepare` started. */
	close?(): Promise<void>;
}
