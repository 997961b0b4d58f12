/**
 * Holds the description of the interface that the sandbox serves to redocly's recommended rules;
 * prints what they find.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startSandbox } from '../sandbox';

async function lintDescription(): Promise<string[]> {
	const sandbox = await startSandbox();
	const answer = await fetch(`${sandbox.url}/openapi.json`);
	const source = await answer.text().finally(async () => await sandbox.close());

	const config = await createConfig({ extends: ['recommended'] });
	const findings = await lintFromString({ source, absoluteRef: 'openapi.json', config });
	return findings.map(
		({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
	);
}

void lintDescription().then((findings) => {
	for (const finding of findings) console.error(finding);
	process.exitCode = findings.length > 0 ? 1 : 0;
});
