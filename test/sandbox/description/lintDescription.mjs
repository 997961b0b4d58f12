/** Reads an OpenAPI document on stdin and prints, as JSON, what redocly's and spectral's recommended rules say of it. */
import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

const source = await text(process.stdin);

const config = await createConfig({ extends: ['recommended'] });
const byRedocly = await lintFromString({ source, absoluteRef: 'openapi.json', config });

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[spectralRulesets.oas, 'recommended']] });
const bySpectral = await spectral.run(JSON.parse(source));

process.stdout.write(
	JSON.stringify([
		...byRedocly.map(({ ruleId, message, location }) => ['redocly', ruleId, message, location[0]?.pointer]),
		...bySpectral.map(({ code, message, path }) => ['spectral', code, message, path.join('/')]),
	]),
);
