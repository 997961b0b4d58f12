/**
 * Holds the descriptions of both nodes, as n8n gets them, to n8n's rules for parameters: the rules
 * read literals, and most parameters are declared by functions. Prints what they find.
 */
import { ESLint } from 'eslint';
import { ESign } from '../nodes/ESign/ESign.node.js';
import { ESignTrigger } from '../nodes/ESign/ESignTrigger.node.js';

/** What does not hold for what is written out, and why that is meant. */
const MEANT = new Map([
	[
		'node-param-operation-option-action-miscased',
		'brackets tell people and models what is final or billed',
	],
	[
		'node-param-operation-option-description-wrong-for-get-many',
		'"all of them" is what Return All gives',
	],
	[
		'node-param-fixed-collection-type-unsorted-items',
		'a row stands in the order in which people fill it in',
	],
	['node-param-required-false', 'a shared property that is required elsewhere'],
]);

/** A node whose description is written out. */
function rendered(name: string, description: object): string {
	const written = JSON.stringify(description, null, '\t').replace(/^(\t+)"(\w+)":/gm, '$1$2:');
	return `import type { INodeType, INodeTypeDescription } from 'n8n-workflow';\n\nexport class ${name} implements INodeType {\n\tdescription: INodeTypeDescription = ${written};\n}\n`;
}

async function lintRendered(): Promise<string[]> {
	const eslint = new ESLint();
	const findings: string[] = [];
	for (const [name, { description }] of Object.entries({
		ESign: new ESign(),
		ESignTrigger: new ESignTrigger(),
	})) {
		const code = rendered(name, description);
		const [result] = await eslint.lintText(code, { filePath: `nodes/ESign/${name}.node.ts` });
		for (const { ruleId, message, line } of result?.messages ?? []) {
			const [, rule] = /^n8n-nodes-base\/(node-param-.*)/.exec(ruleId ?? '') ?? [];
			const place = code
				.split('\n')
				.slice(line - 1, line + 3)
				.join(' ')
				.replace(/\s+/g, ' ');
			if (rule !== undefined && !MEANT.has(rule))
				findings.push(`${name} ${rule}: ${message} (${place})`);
		}
	}
	return findings;
}

void lintRendered().then((findings) => {
	for (const finding of findings) console.error(finding);
	process.exitCode = findings.length > 0 ? 1 : 0;
});
