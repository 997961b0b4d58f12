/**
 * Holds the description of the interface that the sandbox serves to redocly's and spectral's
 * recommended rules; prints what they find.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { startSandbox } from '../sandbox';

async function lintDescription(): Promise<string[]> {
	const sandbox = await startSandbox();
	const source = await (
		await fetch(`${sandbox.url}/openapi.json`)
	)
		.text()
		.finally(async () => await sandbox.close());

	const config = await createConfig({ extends: ['recommended'] });
	const byRedocly = await lintFromString({ source, absoluteRef: 'openapi.json', config });

	const spectral = new Spectral();
	spectral.setRuleset({ extends: [[oas as never, 'recommended']] });
	const bySpectral = await spectral.run(JSON.parse(source) as Record<string, unknown>);
	return [
		...byRedocly.map(
			({ ruleId, message, location }) => `redocly ${ruleId}: ${message} (${location[0]?.pointer})`,
		),
		...bySpectral.map(
			({ code, message, path }) => `spectral ${code}: ${message} (${path.join('/')})`,
		),
	];
}

void lintDescription().then((findings) => {
	for (const finding of findings) console.error(finding);
	process.exitCode = findings.length > 0 ? 1 : 0;
});
