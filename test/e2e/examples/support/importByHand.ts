import type { INode, INodeTypeDescription } from 'n8n-workflow';
import { lostValues, openChoices, ownNodes } from '../../../../harness/examples';
import type { ApiClient, WorkflowFile } from '../../../../harness/n8nServer/apiClient';
import { until } from '../../../../harness/processes/until';
import type { Editor } from '../../editor/support/editor';

/** The name that n8n gives the first eSign credential. */
export const CREDENTIAL = 'eSign account';

/** A node whose own credential its user has to choose: n8n chooses it when the node is opened. */
const needsAnotherCredential = ({ type }: INode) => type.endsWith('.lmChatOpenAi');

/**
 * Imports a workflow file in the editor and does what its note asks for, by clicks: chooses the templates and workflows
 * that stand open. It also looks into each of our nodes, as a curious person would, and leaves them as they are.
 *
 * @returns the id of the workflow, once n8n has saved it with what was chosen
 * @throws Error if the editor shows a problem, finds no credential, or has lost a value of the file
 */
export async function importByHand(
	editor: Editor,
	api: ApiClient,
	file: WorkflowFile,
	descriptions: readonly INodeTypeDescription[],
): Promise<string> {
	const id = await editor.importFile(file.name, file);
	const ours = ownNodes(file);
	for (const node of file.nodes) {
		const choices = openChoices(node);
		if (!ours.includes(node) && choices.length === 0 && !needsAnotherCredential(node)) continue;
		await editor.openNode(node.name);
		if (ours.includes(node)) {
			const shown = editor.node.getByTestId('node-credentials-select').locator('input');
			// n8n shows the ID until it has the names.
			await until(`the credential of ${node.name}`, async () =>
				(await shown.inputValue()) === CREDENTIAL ? true : undefined,
			);
		}
		for (const { parameter, wanted } of choices) {
			const listed = await editor.searchList(parameter, wanted);
			await listed.filter({ hasText: wanted }).first().click();
		}
		// Requests for what the choice changes, if there are any, are on their way by now.
		await editor.page.waitForLoadState('networkidle');
		const problems = await editor.parameters.getByText(/error fetching|can.t get|not supported/i).allInnerTexts();
		const marks = await editor.parameters.getByTestId('parameter-issues').count();
		if (problems.length + marks > 0) throw new Error(`${node.name}: ${marks} red marks; ${problems.join('; ')}`);
		await editor.closeNode();
	}
	const saved = await until(`${file.name} to be saved as chosen`, async () => {
		const workflow = await api.request<WorkflowFile>('GET', `/workflows/${id}`);
		return workflow.nodes.every((node) => openChoices(node).length === 0) ? workflow : undefined;
	});
	const lost = file.nodes.flatMap((node) => {
		const kept = saved.nodes.find(({ name }) => name === node.name);
		return lostValues(node, kept, descriptionOf(node, descriptions)).map((path) => `${node.name}: ${path}`);
	});
	if (lost.length > 0) throw new Error(`The editor has lost values of ${file.name}: ${lost.join(', ')}`);
	return id;
}

function descriptionOf({ type, typeVersion }: INode, descriptions: readonly INodeTypeDescription[]) {
	const found = descriptions.find(({ name, version }) => name === type && [version].flat().includes(typeVersion));
	if (!found) throw new Error(`n8n knows no ${type} of version ${typeVersion}`);
	return found;
}
