import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(__dirname, '..');

/** Not ours, or made by a command. */
const FOREIGN = ['node_modules', 'dist', '.git'];

const documents = readdirSync(root, { withFileTypes: true })
	.filter(({ name }) => !FOREIGN.includes(name))
	.flatMap((entry) =>
		entry.isDirectory()
			? readdirSync(join(root, entry.name), { recursive: true, encoding: 'utf8' }).map((path) =>
					join(entry.name, path),
				)
			: [entry.name],
	)
	.filter((path) => path.endsWith('.md'));

/** A path in code font, such as `nodes/ESign/actions/`. */
const PATH =
	/`((?:\.ci|\.github|bench|credentials|demo|docs|examples|harness|nodes|sandbox|soak|test)\/[\w./-]*\w)\/?`/g;

/** A link or a picture, without those that leave the repository. */
const LINK = /(?:\]\(|src(?:set)?=")(?!https?:|#)([^)"#\s]+)/g;

/** Made by the commands that the documents describe. */
const MADE = ['demo/output', 'bench/results'];

describe('What a document names is in the repository:', () => {
	it.each(documents)('%s', (document) => {
		const text = readFileSync(join(root, document), 'utf8');
		const paths = [...text.matchAll(PATH)].map(([, path = '']) => path);
		const links = [...text.matchAll(LINK)].map(([, link = '']) =>
			normalize(join(dirname(document), link)),
		);
		const named = [...paths, ...links].filter((path) => !MADE.includes(path));
		expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});
});
