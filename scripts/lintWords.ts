/**
 * Finds phrases that a native reader would not write, in the books, in what the editor shows and in
 * the comments of the nodes: "is started anew" (restarts), "goes on" (continues), "comes out" (is
 * returned), "is told" (learns).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { ESign } from '../nodes/ESign/ESign.node.js';
import { ESignTrigger } from '../nodes/ESign/ESignTrigger.node.js';

const PHRASES =
	/started anew|go(es|ing)? on\b|went on|com(es?|ing) out|(is|are|was|were) told|nobody knows|no more\b|very same|taken over|let go/gi;

const booksIn = (folder: string) => readdirSync(folder).map((name) => `${folder}/${name}`);
const sources = readdirSync('nodes', { recursive: true, encoding: 'utf8' })
	.filter((path) => path.endsWith('.ts'))
	.map((path) => `nodes/${path}`);
const books = [...booksIn('.'), ...booksIn('docs'), 'examples/README.md'].filter(
	(path) => path.endsWith('.md') && path !== 'docs/service.md',
);
const texts = [...books, ...sources].map((path) => [path, readFileSync(path, 'utf8')] as const);
const nodes = [new ESign(), new ESignTrigger()].map(
	({ description }) => [description.name, JSON.stringify(description, null, '\t')] as const,
);
for (const [name, text] of [...texts, ...nodes]) {
	for (const { 0: phrase, index } of text.matchAll(PHRASES)) {
		console.error(`${name}:${text.slice(0, index).split('\n').length}  ${phrase}`);
		process.exitCode = 1;
	}
}
