import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { isTestKey, type Document } from '../client';

/** A sentence about the things named, such as fields or documents. */
type Words = (names: readonly string[]) => string;

type Told = { names: Set<string>; hint: NodeExecutionHint };

const runs = new WeakMap<IExecuteFunctions, Map<Words, Told>>();

const MOST_NAMED = 10;

/** Says something below the output of a run, once for all its items: what it names is added to the hint that is there. */
export function hintAt(
	context: IExecuteFunctions,
	words: Words,
	name: string,
	type: NodeExecutionHint['type'] = 'warning',
): void {
	const ofRun = runs.get(context) ?? new Map<Words, Told>();
	runs.set(context, ofRun);
	const known = ofRun.get(words);
	const told = known ?? { names: new Set(), hint: { message: '', type, location: 'outputPane' } };
	ofRun.set(words, told);
	told.names.add(name);
	// n8n reads the hints when the node is through.
	told.hint.message = words([...told.names]);
	if (!known) context.addExecutionHints(told.hint);
}

/** The first ten names, and how many more there are. */
export function listed(names: readonly string[]): string {
	const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
	return `${names.slice(0, MOST_NAMED).join(', ')}${more}`;
}

const DRAFTS: Words = (ids) =>
	ids.length === 1
		? `The draft ${ids[0]} was created, not sent. To send it, add Document > Send, or use Create and Send instead.`
		: `${ids.length} drafts were created, not sent. To send them, add Document > Send, or use Create and Send instead: ${listed(ids)}`;

/** Says that a document was made and nobody was asked to sign it: nothing but its status shows that otherwise. */
export function hintAtDraft(context: IExecuteFunctions, document: Document): void {
	if (document.status === 'draft') hintAt(context, DRAFTS, document.id, 'info');
}

const TEST: Words = () => 'This is a test key: no e-mails are sent, and nothing is billed';

/** Called where something was sent: with a test key it reaches nobody (docs/service.md section 1). */
export async function hintAtTestKey(context: IExecuteFunctions): Promise<void> {
	if (await isTestKey(context)) hintAt(context, TEST, '', 'info');
}
