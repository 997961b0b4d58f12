import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Document } from '../../../transport';

/** What a waiting execution knows of itself; n8n saves it with the execution, and any process can wake that. */
export interface Kept {
	/** Of this time that it waits: see `WaitRequest`. */
	key: string;
	/** The ID of the document of each input item, in order. */
	documents: string[];
	/** Those that had ended when it fell asleep. */
	ended: Document[];
}

const NAME = 'waiting';

/** Keeps it in the execution, as text: an expression reads it again, and gives no more than a text out safely. */
export function keep(context: IExecuteFunctions, kept: Kept): void {
	context.getContext('node')[NAME] = JSON.stringify(kept);
}

/** What the execution kept that this waiting webhook belongs to; undefined if it does not wait for documents. */
export function readKept(context: IWebhookFunctions): Kept | undefined {
	// Braces in the name of the node would end the expression.
	const name = JSON.stringify(context.getNode().name).replace(
		/[{}]/g,
		(brace) => `\\u00${brace.charCodeAt(0).toString(16)}`,
	);
	const text = context.evaluateExpression(`{{ $node[${name}].context["${NAME}"] }}`);
	return typeof text === 'string' && text !== '' ? (JSON.parse(text) as Kept) : undefined;
}
