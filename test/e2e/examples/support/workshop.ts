import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';
import type { Browser } from 'playwright-core';
import type { Sandbox } from '../../../../sandbox';
import type { Execution, Person, WorkflowFile } from '../../../../harness/n8nServer/apiClient';
import { projectRoot } from '../../../../harness/packing';
import type { RunningN8n } from '../../../../harness/n8nServer/server';
import { openBrowser } from '../../editor/support/browser';
import { Editor } from '../../editor/support/editor';
import { setSharedStage, type SharedStage } from '../../support/stage';
import { importByHand } from './importByHand';
import type { ServiceClient } from '../../../../harness/serviceClient';

export const examplesFolder = join(projectRoot, 'examples');

/** The columns that every data table of n8n has. */
const SYSTEM = ['id', 'createdAt', 'updatedAt'];

/** Reads an example exactly as it is in the repository. */
export async function readExample(name: string): Promise<WorkflowFile> {
	return JSON.parse(await readFile(join(examplesFolder, `${name}.json`), 'utf8')) as WorkflowFile;
}

/** A locator of an example that its user has to fill: it has no value, and the name of what belongs there. */
interface OpenLocator {
	__rl: true;
	value: string;
	cachedResultName: string;
}

function isOpenLocator(value: unknown): value is OpenLocator {
	const { __rl, value: chosen, cachedResultName } = (value ?? {}) as Partial<OpenLocator>;
	return __rl === true && chosen === '' && cachedResultName !== undefined;
}

/** Fills the locators of n8n's own nodes that stand open, by the name of what they are for. */
function choose(node: INode, ids: ReadonlyMap<string, string>): void {
	if (node.type.startsWith('n8n-nodes-esign.')) return;
	for (const parameter of Object.values(node.parameters)) {
		if (!isOpenLocator(parameter)) continue;
		const id = ids.get(parameter.cachedResultName);
		if (id === undefined) throw new Error(`${node.name}: there is no "${parameter.cachedResultName}" to choose`);
		parameter.value = id;
	}
}

/** Not the name in the examples: n8n would find the credential by itself. */
const CREDENTIAL = 'Signatures of our company';

/** A sandbox whose clock can be set, and a person of a real n8n in whose editor the examples are imported as a user would. */
export class Workshop {
	readonly service: ServiceClient;
	readonly sandbox: Sandbox;
	readonly n8n: RunningN8n;
	/** Who works in it. */
	readonly person: Person;
	/** Stands for `/files`. */
	readonly folder: string;
	private readonly ids = new Map<string, string>();

	private constructor(
		private readonly stage: SharedStage,
		/** Sets the sandbox's clock to that many seconds before the computer's. */
		readonly setBack: (seconds: number) => void,
		private readonly browser: Browser,
		private readonly editor: Editor,
	) {
		({ service: this.service, sandbox: this.sandbox, n8n: this.n8n, person: this.person, folder: this.folder } = stage);
	}

	static async open(): Promise<Workshop> {
		let behind = 0;
		const clock = { now: () => Date.now() - behind * 1000 };
		const stage = await setSharedStage({ clock, credential: CREDENTIAL });
		const browser = await openBrowser();
		const editor = await Editor.open(browser, stage.n8n.url, stage.person);
		return new Workshop(stage, (seconds) => (behind = seconds), browser, editor);
	}

	/** Imports an example and makes the choices that its notes ask for: credential, template, sub-workflows, folder. */
	async import(name: string, change: (workflow: WorkflowFile) => void = () => undefined): Promise<string> {
		const workflow = await readExample(name);
		for (const node of workflow.nodes) {
			choose(node, this.ids);
			const { fileName } = node.parameters;
			if (typeof fileName === 'string') node.parameters.fileName = fileName.replace('/files/', `${this.folder}/`);
		}
		change(workflow);
		const id = await importByHand(this.editor, this.n8n.api, workflow, CREDENTIAL);
		// A second tab with the same workflow says so across the canvas, and a person may go on in one only.
		await this.editor.page.goto('about:blank');
		this.ids.set(workflow.name, id);
		return id;
	}

	/** Imports an example and publishes it. */
	async publish(name: string, change?: (workflow: WorkflowFile) => void): Promise<string> {
		const id = await this.import(name, change);
		await this.n8n.api.publish(id);
		return id;
	}

	/** Presses Execute Workflow for one trigger of a workflow, and waits for the end of that execution. */
	async execute(workflowId: string, trigger: string): Promise<Execution> {
		const before = (await this.n8n.api.executions(workflowId)).length;
		await this.n8n.api.request('POST', `/workflows/${workflowId}/run`, { triggerToStartFrom: { name: trigger } });
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
