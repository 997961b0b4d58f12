import type { IDataObject } from 'n8n-workflow';
import type { ESignCredential } from '../../support/n8nCore/credentials';
import { until } from '../../support/processes/until';
import type { Document } from '../../support/serviceClient';
import { clock, storedOf, type StoredWorkflow } from '../../trigger/support/n8nInstance';
import { Stage } from '../../trigger/support/scene';
import { byId } from './workbench';
import { WaitingN8n } from './waitingN8n';

/** For what never comes; a busy machine may take its time. */
const PATIENT_MS = 240_000;

/** An n8n whose executions wait. */
export class WaitStage extends Stage<WaitingN8n> {
	protected async start(credential: ESignCredential): Promise<WaitingN8n> {
		return await WaitingN8n.start(credential);
	}

	/** Begins an execution that waits for a document, and resolves with its ID once it sleeps. */
	async asleepFor(document: { id: string }): Promise<string> {
		const { id, run } = await this.n8n.wait({ documentId: byId(document.id) });
		expect(run.error).toBeUndefined();
		expect(this.n8n.outputOf(id)).toBeUndefined();
		return id;
	}

	/** The same for a document that is sent for it. */
	async asleep(): Promise<{ document: Document; id: string }> {
		const document = await this.send();
		return { document, id: await this.asleepFor(document) };
	}

	/** Lets what happens in the background come to its end. */
	async eventually<T>(what: string, ask: () => Promise<T | undefined> | T | undefined): Promise<T> {
		return await clock.during(until(what, async () => await ask(), PATIENT_MS));
	}

	/** What an execution puts out once it has gone on. */
	async goneOn(id: string) {
		return await this.eventually(`execution ${id} to resume`, () => this.n8n.outputOf(id));
	}
}

/**
 * What the database holds of the executions that wait for the trigger of a workflow, by execution.
 */
export function storedWaits(workflow: StoredWorkflow): Record<string, IDataObject> {
	const waits = Object.values(storedOf(workflow, 'wait'));
	return Object.fromEntries(waits.map((wait) => [wait.execution, wait]));
}
