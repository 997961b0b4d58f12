/**
 * Prints everything that the nodes and the credential say in the editor, to be read aloud: `npm run texts`. What the code says
 * in messages follows, and the description of the trigger: texts in quotes with a space in them, by file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESignApi } from '../credentials/ESignApi.credentials';
import { nodeProperties } from '../nodes/ESign/actions';
import { projectRoot } from './packing';

/** The keys under which a description holds what people read. */
const SAID =
	/^(name|displayName|description|hint|placeholder|action|message|errorMessage|header|inactive|active|.*Notice|.*Label|.*Tooltip|.*Message)$/;

/** Names of parameters are for workflows; the name of a choice stands beside its value. */
const isForPeople = (key: string, holder: object) => key !== 'name' || ('value' in holder && !('type' in holder));

function print(value: unknown, place: string): void {
	if (typeof value !== 'object' || value === null) return;
	for (const [key, held] of Object.entries(value)) {
		if (typeof held === 'string') {
			if (SAID.test(key) && isForPeople(key, value) && held !== '') console.log(`${place} ${key}: ${held}`);
			continue;
		}
		const { displayName, name } = Object(held) as { displayName?: string; name?: string };
		print(
			held,
			[place, displayName?.slice(0, 40) ?? name ?? (/^\d+$/.test(key) ? '' : key)].filter(Boolean).join(' > '),
		);
	}
}

const SENTENCE = /(['`])((?:(?!\1)[^\\\n]|\\.)*\s(?:(?!\1)[^\\\n]|\\.)*)\1/g;

print(new ESignApi(), 'Credential');
print(nodeProperties(), 'eSign');
for (const path of readdirSync(join(projectRoot, 'nodes'), { recursive: true, encoding: 'utf8' }).sort()) {
	if (!path.endsWith('.ts') || /(properties|parameters|options)\.ts$/.test(path)) continue;
	const code = readFileSync(join(projectRoot, 'nodes', path), 'utf8').replace(/\/\*[^]*?\*\/|^import .*|\/\/ .*/gm, '');
	for (const [, , text = ''] of code.matchAll(SENTENCE)) console.log(`${path}: ${text}`);
}
