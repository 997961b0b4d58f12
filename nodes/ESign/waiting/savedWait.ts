import {
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type IWebhookFunctions,
} from 'n8n-workflow';
import type { FileVariant } from '../client';

/**
 * What a waiting execution knows of itself; n8n saves it with the execution, and any process can
 * wake that.
 */
export interface SavedWait {
	/** Identifies this wait: see `WaitingExecution`. */
	id: string;
	/** The ID of the document of each input item, in order. */
	documents: string[];
	/** Those that are fetched of a completed document. */
	files: FileVariant[];
	/** Of the API key that sees them. */
	workspaceMode: string;
}

const NAME = 'waiting';

/**
 * Only an expression can read it in the waiting webhook. Braces and what is not ASCII in the node's
 * name would end it.
 */
export function expressionFor({ name }: Pick<INode, 'name'>): string {
	const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const escaped = JSON.stringify(name).replace(/[{}]|[^ -~]/g, escape);
	return `{{ $node[${escaped}].context["${NAME}"] }}`;
}

/**
 * Saves it in the execution, as text: an expression reads it again, and gives only a text
 * out safely.
 *
 * @throws NodeOperationError the name of the node is one that no expression of n8n can hold, such
 * as `constructor`
 */
export function saveWait(context: IExecuteFunctions, wait: SavedWait): void {
	const text = JSON.stringify(wait);
	context.getContext('node')[NAME] = text;
	let read: unknown;
	try {
		read = context.evaluateExpression(expressionFor(context.getNode()), 0);
	} catch (error) {
		read = error;
	}
	if (read === text) return;
	throw new NodeOperationError(context.getNode(), 'A node with this name cannot wait', {
		itemIndex: 0,
		description:
			'n8n cannot read the name in an expression. Rename the node, then retry this execution. Running the workflow again may send the documents again.',
	});
}

/**
 * What the execution saved that this waiting webhook belongs to; undefined if it does not wait for
 * documents.
 */
export function readSavedWait(context: IWebhookFunctions): SavedWait | undefined {
	const text = context.evaluateExpression(expressionFor(context.getNode()));
	return typeof text === 'string' && text !== '' ? (JSON.parse(text) as SavedWait) : undefined;
}
