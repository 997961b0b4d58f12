import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(__dirname, '..');

/** Not ours, or made by a command. */
const FOREIGN = ['node_modules', 'dist', '.git'];

const files = readdirSync(root, { withFileTypes: true })
	.filter(({ name }) => !FOREIGN.includes(name))
	.flatMap((entry) =>
		entry.isDirectory()
			? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((path) =>
					join(entry.name, path),
				)
			: [entry.name],
	);
const documents = files.filter((path) => path.endsWith('.md'));

/** A path in code font, such as `nodes/ESign/actions/`. */
const PATH =
	/`((?:\.ci|\.github|bench|credentials|demo|docs|examples|nodes|sandbox|scripts|test)\/[\w./-]*\w)\/?`/g;

/** A link or a picture, and its anchor, without those that leave the repository. */
const LINK = /(?:\]\(|src(?:set)?=")(?!https?:)([^)"#\s]*)(?:#([^)"\s]+))?/g;

/** Made by the commands that the documents describe. */
const MADE = ['demo/output', 'bench/results'];

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The headings of a document, as GitHub makes anchors of them. */
function anchorsOf(document: string): string[] {
	const headings = [...readText(document).matchAll(/^#+ (.+)$/gm)];
	return headings.map(([, heading = '']) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

function linksOf(document: string): Array<{ path: string; anchor: string | undefined }> {
	return [...readText(document).matchAll(LINK)].map(([, link = '', anchor]) => ({
		path: link === '' ? document : normalize(join(dirname(document), link)),
		anchor,
	}));
}

describe('What a document names is in the repository:', () => {
	it.each(documents)('%s', (document) => {
		const paths = [...readText(document).matchAll(PATH)].map(([, path = '']) => path);
		const named = [...paths, ...linksOf(document).map(({ path }) => path)];
		expect(named.filter((path) => !MADE.includes(path) && !existsSync(join(root, path)))).toEqual(
			[],
		);

		const lost = linksOf(document).filter(
			({ path, anchor }) =>
				anchor !== undefined && existsSync(join(root, path)) && !anchorsOf(path).includes(anchor),
		);
		expect(lost).toEqual([]);
	});
});

it('every section of a document that the code cites is there', () => {
	const code = files.filter((path) => /^(?:nodes|credentials|sandbox|test).*\.ts$/.test(path));
	const cited = new Set(
		code.flatMap((path) => readText(path).match(/docs\/\w+\.md section \d+/g) ?? []),
	);
	const lost = [...cited].filter((citation) => {
		const [document = '', , number] = citation.split(' ');
		return !readText(document).includes(`\n## ${number}. `);
	});
	expect(cited.size).toBeGreaterThan(10);
	expect(lost).toEqual([]);
});

it('n8n links to sections of README that are there', () => {
	const linking = files.filter((path) => /^(?:nodes|credentials)\/.*\.(?:ts|json)$/.test(path));
	const anchors = linking.flatMap((path) => [
		...readText(path).matchAll(/github\.com\/n8n-nodes-esign\/n8n-nodes-esign#([\w-]+)/g),
	]);
	const named = new Set(anchors.map(([, anchor = '']) => anchor));
	expect(named).toContain('credentials');
	const there = [...anchorsOf('README.md'), 'readme'];
	expect([...named].filter((anchor) => !there.includes(anchor))).toEqual([]);
});

it('the messages that README explains are in the code', () => {
	const [, table = ''] = readText('README.md').split('## Error messages');
	const rows = [...table.matchAll(/^\| ([A-Z].+?) \|/gm)].map(([, message = '']) => message);
	const sources = files.filter((path) => /^nodes\/.*\.ts$/.test(path)).map(readText);
	const parts = rows.flatMap((message) => message.split(/ ?\.\.\.:? ?/));
	expect(parts.length).toBeGreaterThan(4);
	expect(parts.filter((part) => !sources.some((source) => source.includes(part)))).toEqual([]);
});
