import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import type { ApiClient, WorkflowFile } from '../../../../harness/n8nServer/apiClient';
import { until } from '../../../../harness/processes/until';
import { nodeProperties } from '../../../../nodes/ESign/actions';
import type { Editor } from '../../editor/support/editor';

/** The nodes of an example that are ours, as nodes and as tools. */
const ours = ({ nodes }: Pick<WorkflowFile, 'nodes'>) =>
	nodes.filter(({ type }) => type.startsWith('n8n-nodes-esign.'));

/** A template that the user of an example has to choose: it has no value, and the name of what belongs there. */
function templateToChoose({ parameters }: INode): string | undefined {
	const { mode, value, cachedResultName } = (parameters.templateId ?? {}) as IDataObject;
	return mode === 'list' && value === '' ? String(cachedResultName) : undefined;
}

/**
 * Imports a workflow file in the editor, and does there what the notes of the examples ask for: opens each of our nodes,
 * chooses the credential, and the template by its name.
 *
 * @returns the id of the workflow, once n8n has saved it with what was chosen
 * @throws Error if the editor shows a problem, or has lost a value of the file
 */
export async function importByHand(
	editor: Editor,
	api: ApiClient,
	file: WorkflowFile,
	credential: string,
): Promise<string> {
	const id = await editor.importFile(file.name, file);
	for (const node of ours(file)) {
		await editor.openNode(node.name);
		await editor.chooseCredential(credential);
		const template = templateToChoose(node);
		if (template !== undefined) {
			const listed = await editor.searchList('templateId', template);
			await listed.filter({ hasText: template }).first().click();
		}
		// Requests for what the choice changes, if there are any, are on their way by now.
		await editor.page.waitForLoadState('networkidle');
		const problems = await editor.parameters.getByText(/error fetching|can.t get|not supported/i).allInnerTexts();
		const marks = await editor.parameters.getByTestId('parameter-issues').count();
		if (problems.length + marks > 0) throw new Error(`${node.name}: ${marks} red marks; ${problems.join('; ')}`);
		await editor.closeNode();
	}
	// n8n saves by itself what is written into a form, but not the choice of a credential.
	await editor.page.keyboard.press('Control+s');
	const saved = await until(`${file.name} to be saved as chosen`, async () => {
		const workflow = await api.request<WorkflowFile>('GET', `/workflows/${id}`);
		const isChosen = (node: INode) => node.credentials?.eSignApi?.name === credential && !templateToChoose(node);
		return ours(workflow).every(isChosen) ? workflow : undefined;
	});
	const lost = ours(file).flatMap((node) => {
		const kept = saved.nodes.find(({ name }) => name === node.name)?.parameters;
		const { templateId, ...values } = node.parameters;
		// What was chosen takes the place of what was open.
		const given = templateToChoose(node) === undefined ? { ...values, templateId } : values;
		return lostValues(given, kept).map((path) => `${node.name}: ${path}`);
	});
	if (lost.length > 0) throw new Error(`The editor has lost values of ${file.name}: ${lost.join(', ')}`);
	return id;
}

/** The defaults of our forms by the name of the parameter: the editor leaves them out of what it saves. */
const defaults = new Map<string, unknown[]>();
collectDefaults(nodeProperties());

function collectDefaults(properties: readonly object[]): void {
	for (const property of properties as Array<Partial<INodeProperties> & { values?: INodeProperties[] }>) {
		const { name = '', options = [], values = [] } = property;
		if ('default' in property) defaults.set(name, [...(defaults.get(name) ?? []), property.default]);
		collectDefaults([...options, ...values]);
	}
}

/** Where a value that a person wrote is missing, or is another one. */
function lostValues(given: unknown, kept: unknown, path = ''): string[] {
	const name = path.split('.').at(-1) ?? '';
	if (given === null || given === undefined || isDeepStrictEqual(given, kept)) return [];
	if (kept === undefined && defaults.get(name)?.some((value) => isDeepStrictEqual(value, given))) return [];
	if (typeof given !== 'object') return [path];
	return Object.entries(given).flatMap(([key, value]) =>
		// The list of a template's fields is the editor's own.
		key === 'schema' ? [] : lostValues(value, (kept as IDataObject | undefined)?.[key], path ? `${path}.${key}` : key),
	);
}
