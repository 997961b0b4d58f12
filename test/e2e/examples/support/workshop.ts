import type { IDataObject, INode, INodeTypeDescription } from 'n8n-workflow';
import type { Page } from 'playwright-core';
import type { Sandbox } from '../../../../sandbox';
import { readPdf, textOf } from '../../../sandbox/pdf/readPdf';
import type { Execution, WorkflowFile } from '../../../support/n8nServer/apiClient';
import { lostValues, openChoices, ownNodes, readExample } from '../../../support/examples';
import { NIGHTLY } from '../../../support/nightly';
import { until } from '../../../support/processes/until';
import type { RunningN8n } from '../../../support/n8nServer/server';
import type { Document, ServiceClient } from '../../../support/serviceClient';
import type { Editor } from '../../editor/support/editor';
import { setEditorStage, type EditorStage } from '../../editor/support/editorStage';
import { expectNoneMarked, takePicture } from './picture';

/** The name that n8n gives the first eSign credential. */
export const CREDENTIAL = 'eSign account';
/** The name of the credential of the model that agents talk to. */
export const MODEL_CREDENTIAL = 'Model';

/**
 * How many eSign credentials the person has: with two of them, n8n would choose the newer for a
 * node that names none.
 */
export const CREDENTIALS = NIGHTLY ? [2, 1] : [2];

/** What whoever calls a trigger has to show, by the name that its *Authentication* has. */
export const ACCESS: Record<string, { type: string; data: Record<string, string> }> = {
	'Basic Auth': { type: 'httpBasicAuth', data: { user: 'records', password: 'sign-here' } },
	'Header Auth': { type: 'httpHeaderAuth', data: { name: 'x-key', value: 'sign-here' } },
	'Bearer Auth': { type: 'httpBearerAuth', data: { token: 'sign-here' } },
};

/** A node whose own credential its user has to choose: n8n chooses it when the node is opened. */
const needsAnotherCredential = ({ type }: INode) => type.endsWith('.lmChatOpenAi');

/** The columns that every data table of n8n has. */
const SYSTEM = ['id', 'createdAt', 'updatedAt'];

/** What a visitor puts into a form, by its labels: words, or the path of a file. */
export type Answers = Record<string, string>;

/** An example that writes its files into that folder. */
export function inFolder(example: WorkflowFile, folder: string): WorkflowFile {
	for (const { parameters } of example.nodes) {
		const { fileName } = parameters;
		if (typeof fileName === 'string')
			parameters.fileName = fileName.replace('/files/', `${folder}/`);
	}
	return example;
}

/**
 * A sandbox whose clock can be set, and a person of a real n8n in whose editor the examples are
 * imported as a user would.
 */
export class Workshop {
	readonly service: ServiceClient;
	readonly sandbox: Sandbox;
	readonly n8n: RunningN8n;
	readonly editor: Editor;
	/** Stands for `/files`. */
	readonly folder: string;

	private constructor(
		private readonly stage: EditorStage,
		/** Sets the sandbox's clock to that many seconds before the computer's. */
		readonly setBack: (seconds: number) => void,
		private readonly descriptions: INodeTypeDescription[],
	) {
		({
			service: this.service,
			sandbox: this.sandbox,
			n8n: this.n8n,
			folder: this.folder,
			editor: this.editor,
		} = stage);
	}

	static async open(credentials: number): Promise<Workshop> {
		let behind = 0;
		const clock = { now: () => Date.now() - behind * 1000 };
		const stage = await setEditorStage({ clock });
		const { api, url } = stage.n8n;
		// Newer than the one that the examples name, and of no use to them: its key sees other
		// documents.
		const data = { baseUrl: stage.sandbox.url, apiKey: stage.sandbox.keys.live };
		if (credentials === 2)
			await api.createCredential({ name: `${CREDENTIAL} 2`, type: 'eSignApi', data });
		for (const [name, access] of Object.entries(ACCESS))
			await api.createCredential({ name, ...access });
		const types = await stage.editor.page.request.get(`${url}/types/nodes.json`);
		return new Workshop(
			stage,
			(seconds) => (behind = seconds),
			(await types.json()) as INodeTypeDescription[],
		);
	}

	/**
	 * Imports an example in the editor and does what its note asks for, by clicks: chooses the
	 * templates and workflows that stand open, sets *Authentication*, makes the data table. It also
	 * looks into each of our nodes, as a curious person would, and leaves them as they are. Its
	 * folder is `folder`.
	 *
	 * @returns the id of the workflow, once n8n has saved it with what was chosen
	 * @throws Error if the editor shows a problem, finds no credential, or has lost a value of the
	 * file
	 */
	async import(
		name: string,
		change: (workflow: WorkflowFile) => void = () => undefined,
	): Promise<string> {
		const workflow = inFolder(readExample(name), this.folder);
		change(workflow);
		const note = String(
			workflow.nodes.find(({ type }) => type.endsWith('.stickyNote'))?.parameters.content,
		);
		const [, secured, access] =
			/Set \*\*Authentication\*\* in \*\*(.+?)\*\* to (\w+ Auth)/.exec(note) ?? [];
		const [, maker] = /Point at \*\*(Once: .+?)\*\*/.exec(note) ?? [];

		const id = await this.editor.importFile(workflow.name, workflow);
		for (const node of workflow.nodes)
			await this.setUp(node, node.name === secured ? access : undefined);
		const isSaved = (node: INode) =>
			openChoices(node).length === 0 && (node.name !== secured || node.credentials !== undefined);
		const saved = await until(`${name} to be saved as chosen`, async () => {
			const { nodes } = await this.n8n.api.request<WorkflowFile>('GET', `/workflows/${id}`);
			return nodes.every(isSaved) ? nodes : undefined;
		});
		const lost = workflow.nodes.flatMap((node) => {
			const given =
				node.name === secured
					? { ...node, parameters: { ...node.parameters, authentication: null } }
					: node;
			const kept = saved.find((other) => other.name === node.name);
			return lostValues(given, kept, this.descriptionOf(node)).map(
				(path) => `${node.name}: ${path}`,
			);
		});
		if (lost.length > 0)
			throw new Error(`The editor has lost values of ${name}: ${lost.join(', ')}`);
		const { page } = this.editor;
		await expectNoneMarked(page, name, workflow.nodes.length);
		if (NIGHTLY) await takePicture(page, name, workflow.nodes.length);
		if (maker) await this.execute(id, maker);
		return id;
	}

	/** Opens a node and does what is left to its user, if anything is. */
	private async setUp(node: INode, access: string | undefined): Promise<void> {
		const { editor } = this;
		const isOurs = ownNodes({ nodes: [node] }).length > 0;
		const choices = openChoices(node);
		if (!isOurs && !access && choices.length === 0 && !needsAnotherCredential(node)) return;
		await editor.openNode(node.name);
		const credential = editor.node.getByTestId('node-credentials-select');
		if (isOurs) {
			const shown = credential.locator('input');
			// n8n shows the ID until it has the names.
			await until(
				`the credential of ${node.name}`,
				async () => (await shown.inputValue()) === CREDENTIAL || undefined,
			);
		}
		// n8n chooses the only credential of its type, unless it knew of none when the node was opened.
		if (needsAnotherCredential(node)) await editor.pickFrom(credential, MODEL_CREDENTIAL);
		if (access) await editor.pick('authentication', access);
		for (const { parameter, wanted } of choices) {
			const listed = await editor.searchList(parameter, wanted);
			await listed.filter({ hasText: wanted }).first().click();
		}
		await editor.settled();
		// The editor takes a red mark away some time after it was dealt with.
		await until(`no red mark on ${node.name}`, async () => {
			const problems = await editor.problems();
			const marks = await editor.parameters.getByTestId('parameter-issues').count();
			return problems.length + marks === 0 || undefined;
		});
		await editor.closeNode();
	}

	private descriptionOf({ type, typeVersion }: INode): INodeTypeDescription {
		const found = this.descriptions.find(
			(one) => one.name === type && [one.version].flat().includes(typeVersion),
		);
		if (!found) throw new Error(`n8n knows no ${type} of version ${typeVersion}`);
		return found;
	}

	/** Imports an example and publishes it there. */
	async publish(name: string, change?: (workflow: WorkflowFile) => void): Promise<string> {
		const id = await this.import(name, change);
		await this.publishOpened(id);
		return id;
	}

	/**
	 * Publishes the workflow that the editor shows, by clicks, and waits until its triggers are at
	 * work.
	 */
	async publishOpened(id: string): Promise<void> {
		await this.editor.publish();
		await until(`workflow ${id} to be published`, async () => {
			const { status } = await this.n8n.api.request<{ status: string }>(
				'GET',
				`/workflows/${id}/publication-status`,
			);
			return status === 'published' || undefined;
		});
	}

	/**
	 * Executes the workflow that the editor shows from one of its triggers, by a click, and waits for
	 * the end of that execution.
	 */
	async execute(workflowId: string, trigger: string): Promise<Execution> {
		const before = (await this.n8n.api.executions(workflowId)).length;
		const { page } = this.editor;
		if (!page.url().includes(workflowId)) await page.goto(`${this.n8n.url}/workflow/${workflowId}`);
		await this.editor.executeFrom(trigger);
		const executions = await this.n8n.api.finishedExecutions(workflowId, before + 1);
		return executions[before] as Execution;
	}

	/**
	 * Opens a form at its address, fills it in and submits it, as a visitor does who was given the
	 * password.
	 *
	 * @returns the page that the visitor has then; its context is the caller's to close
	 */
	async visit(url: string, answers: Answers): Promise<Page> {
		const { user: username = '', password = '' } = ACCESS['Basic Auth']?.data ?? {};
		const visitor = await this.stage.browser.newContext({
			httpCredentials: { username, password },
		});
		const page = await visitor.newPage();
		await page.goto(url);
		await this.fillIn(page, answers);
		return page;
	}

	/** Fills in the form that a page shows, and submits it. */
	async fillIn(page: Page, answers: Answers): Promise<void> {
		for (const [label, answer] of Object.entries(answers)) {
			const input = page.getByLabel(label, { exact: true });
			if ((await input.getAttribute('type')) === 'file') await input.setInputFiles(answer);
			else await input.fill(answer);
		}
		await page.locator('#submit-btn').click();
	}

	/**
	 * Visits the form of the workflow that is open, at the *Production URL* that its node shows,
	 * until it says that it has it.
	 */
	async submit(form: string, answers: Answers): Promise<void> {
		const page = await this.visit(await this.editor.productionUrl(form), answers);
		await page.locator('#submitted-form').waitFor();
		await page.context().close();
	}

	/** Fills in the form of the workflow that is open. @returns the text of the page that it ends on */
	async lastPageOf(form: string, answers: Answers): Promise<string> {
		const page = await this.visit(await this.editor.productionUrl(form), answers);
		await page.waitForURL(/form-waiting/);
		await page.locator('.card').first().waitFor();
		const text = await page.locator('body').innerText();
		// The page tells n8n that it was shown: the execution ends then.
		await page.waitForLoadState('networkidle');
		await page.context().close();
		return text;
	}

	/** Has everybody sign who is to sign, in order. */
	async signByAll(document: Document | undefined): Promise<void> {
		for (const { id } of document?.recipients ?? []) await this.sandbox.control.sign(id);
	}

	/** The words of the signed PDF. */
	async signedTextOf(document: Document | undefined): Promise<string> {
		const path = `/documents/${document?.id}/files/signed`;
		const { url } = await this.service.api<{ url: string }>('GET', path);
		const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
		return readPdf(bytes).pages.map(textOf).join(' ');
	}

	/** The documents that exist after `act` and did not before, oldest first. */
	async sentBy(act: () => Promise<unknown>): Promise<Document[]> {
		const before = (await this.service.documents()).map(({ id }) => id);
		await act();
		return (await this.service.documents()).filter(({ id }) => !before.includes(id)).reverse();
	}

	/** The rows of a data table, without the columns that n8n adds. */
	async rows(table: string): Promise<IDataObject[]> {
		const { api } = this.n8n;
		const filter = encodeURIComponent(JSON.stringify({ name: table }));
		const { data: tables } = await api.request<{
			data: Array<{ id: string; name: string; projectId: string }>;
		}>('GET', `/data-tables-global?filter=${filter}`);
		const found = tables.find(({ name }) => name === table);
		if (!found) throw new Error(`There is no data table "${table}"`);
		const { data } = await api.request<{ data: IDataObject[] }>(
			'GET',
			`/projects/${found.projectId}/data-tables/${found.id}/rows?take=250`,
		);
		return data.map((row) =>
			Object.fromEntries(Object.entries(row).filter(([column]) => !SYSTEM.includes(column))),
		);
	}

	async close(): Promise<void> {
		await this.stage.close();
	}
}
