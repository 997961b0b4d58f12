import type { IDataObject, INodeTypeDescription } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import type { Sandbox } from '../../../../sandbox';
import type { Execution, WorkflowFile } from '../../../../harness/n8nServer/apiClient';
import { readExample } from '../../../../harness/examples';
import { until } from '../../../../harness/processes/until';
import type { RunningN8n } from '../../../../harness/n8nServer/server';
import { openBrowser } from '../../editor/support/browser';
import { Editor } from '../../editor/support/editor';
import { setSharedStage, type SharedStage } from '../../support/stage';
import { CREDENTIAL, importByHand } from './importByHand';
import type { ServiceClient } from '../../../../harness/serviceClient';

/** The columns that every data table of n8n has. */
const SYSTEM = ['id', 'createdAt', 'updatedAt'];

/** A sandbox whose clock can be set, and a person of a real n8n in whose editor the examples are imported as a user would. */
export class Workshop {
	readonly service: ServiceClient;
	readonly sandbox: Sandbox;
	readonly n8n: RunningN8n;
	/** Stands for `/files`. */
	readonly folder: string;

	private constructor(
		private readonly stage: SharedStage,
		/** Sets the sandbox's clock to that many seconds before the computer's. */
		readonly setBack: (seconds: number) => void,
		private readonly browser: Browser,
		readonly editor: Editor,
		private readonly descriptions: INodeTypeDescription[],
	) {
		({ service: this.service, sandbox: this.sandbox, n8n: this.n8n, folder: this.folder } = stage);
	}

	/** @param credentials how many the person has: with two of them, n8n would choose the newer for a node that names none */
	static async open(credentials: 1 | 2 = 2): Promise<Workshop> {
		let behind = 0;
		const clock = { now: () => Date.now() - behind * 1000 };
		const stage = await setSharedStage({ clock });
		// Newer than the one that the examples name, and of no use to them: its key sees other documents.
		const data = { baseUrl: stage.sandbox.url, apiKey: stage.sandbox.keys.live };
		if (credentials === 2) await stage.n8n.api.createCredential({ name: `${CREDENTIAL} 2`, type: 'eSignApi', data });
		const browser = await openBrowser();
		const editor = await Editor.open(browser, stage.n8n.url, stage.person);
		const types = await editor.page.request.get(`${stage.n8n.url}/types/nodes.json`);
		const descriptions = (await types.json()) as INodeTypeDescription[];
		return new Workshop(stage, (seconds) => (behind = seconds), browser, editor, descriptions);
	}

	/** Imports an example in the editor and makes the choices that its note asks for; its folder is `folder`. */
	async import(name: string, change: (workflow: WorkflowFile) => void = () => undefined): Promise<string> {
		const workflow = readExample(name);
		for (const { parameters } of workflow.nodes) {
			const { fileName } = parameters;
			if (typeof fileName === 'string') parameters.fileName = fileName.replace('/files/', `${this.folder}/`);
		}
		change(workflow);
		return await importByHand(this.editor, this.n8n.api, workflow, this.descriptions);
	}

	/** Imports an example and publishes it there. */
	async publish(name: string, change?: (workflow: WorkflowFile) => void): Promise<string> {
		const id = await this.import(name, change);
		await this.publishOpened(id);
		return id;
	}

	/** Publishes the workflow that the editor shows, by clicks, and waits until its triggers are at work. */
	async publishOpened(id: string): Promise<void> {
		await this.editor.publish();
		await until(`workflow ${id} to be published`, async () => {
			const { status } = await this.n8n.api.request<{ status: string }>('GET', `/workflows/${id}/publication-status`);
			return status === 'published' || undefined;
		});
	}

	/** Takes every workflow out of service, and waits until no trigger has an endpoint any more: the next has the service to itself. */
	async unpublishAll(): Promise<void> {
		await this.n8n.api.unpublishAll();
		await until('the endpoints to be removed', async () => (await this.service.endpoints()).length === 0 || undefined);
	}

	/** Executes a workflow from one of its triggers, by a click, and waits for the end of that execution. */
	async execute(workflowId: string, trigger: string): Promise<Execution> {
		const before = (await this.n8n.api.executions(workflowId)).length;
		const { page } = this.editor;
		if (!page.url().includes(workflowId)) await page.goto(`${this.n8n.url}/workflow/${workflowId}`);
		await this.editor.executeFrom(trigger);
		const executions = await this.n8n.api.finishedExecutions(workflowId, before + 1);
		return executions[before] as Execution;
	}

	/** The rows of a data table, without the columns that n8n adds. */
	async rows(table: string): Promise<IDataObject[]> {
		const { api } = this.n8n;
		const filter = encodeURIComponent(JSON.stringify({ name: table }));
		const { data: tables } = await api.request<{ data: Array<{ id: string; name: string; projectId: string }> }>(
			'GET',
			`/data-tables-global?filter=${filter}`,
		);
		const found = tables.find(({ name }) => name === table);
		if (!found) throw new Error(`There is no data table "${table}"`);
		const { data } = await api.request<{ data: IDataObject[] }>(
			'GET',
			`/projects/${found.projectId}/data-tables/${found.id}/rows?take=250`,
		);
		return data.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !SYSTEM.includes(column))));
	}

	async close(): Promise<void> {
		await this.browser.close();
		await this.stage.close();
	}
}
