/**
 * Prints everything that people read in the editor and in n8n's log, each text once, to be read
 * aloud: `npm run texts`. First what the forms of the node and of the credential say, by where it
 * stands; then the sentences in the code, by file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as ts from 'typescript';
import { ESignApi } from '../credentials/ESignApi.credentials';
import { nodeProperties } from '../nodes/ESign/actions';
import { projectRoot } from '../test/support/packing';

/** The keys under which a description holds what people read. */
const SAID =
	/^(name|displayName|description|hint|placeholder|action|message|errorMessage|header|inactive|active|.*Notice|.*Label|.*Tooltip|.*Message)$/;

/** Names of parameters are for workflows; the name of a choice stands beside its value. */
const isForPeople = (key: string, holder: object) =>
	key !== 'name' || ('value' in holder && !('type' in holder));

const printed = new Set<string>();

function print(place: string, text: string): void {
	if (text !== '' && printed.size < printed.add(text).size) console.log(`${place}: ${text}`);
}

function printDescription(value: unknown, place: string): void {
	if (typeof value !== 'object' || value === null) return;
	for (const [key, held] of Object.entries(value)) {
		if (typeof held === 'string') {
			if (SAID.test(key) && isForPeople(key, value)) print(`${place} ${key}`, held);
			continue;
		}
		const { displayName, name } = Object(held) as { displayName?: string; name?: string };
		const step = displayName?.slice(0, 40) ?? name ?? (/^\d+$/.test(key) ? '' : key);
		printDescription(held, [place, step].filter(Boolean).join(' > '));
	}
}

/**
 * Prints what stands in quotes and has a space between words: of a template also what its values
 * are called.
 */
function printSentences(node: ts.Node, path: string): void {
	if (ts.isImportDeclaration(node)) return;
	const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
	if (isText && /\w,? \w/.test(node.getText())) print(path, node.getText().slice(1, -1));
	ts.forEachChild(node, (child) => printSentences(child, path));
}

printDescription(new ESignApi(), 'Credential');
printDescription(nodeProperties(), 'eSign');
for (const path of readdirSync(join(projectRoot, 'nodes'), {
	recursive: true,
	encoding: 'utf8',
}).sort()) {
	if (!path.endsWith('.ts')) continue;
	const code = readFileSync(join(projectRoot, 'nodes', path), 'utf8');
	printSentences(ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true), path);
}
