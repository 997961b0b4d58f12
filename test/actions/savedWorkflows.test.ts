import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { INodePropertyCollection, INodePropertyOptions, INodeProperties } from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { ESignTrigger } from '../../nodes/ESign/ESignTrigger.node';

const FIXTURE = path.join(__dirname, '../fixtures/parameters.txt');

type Held = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/**
 * What the editor and a saved workflow take of a property, a line for each, with those within it.
 * n8n does not save a value that is the default: another default changes workflows that are there.
 */
function linesOf(holder: string, properties: readonly Held[]): string[] {
	return properties.flatMap((property) => {
		const place = `${holder} > ${property.name}`;
		if ('values' in property) return linesOf(place, property.values);
		if (!('type' in property)) return [`${place}: ${JSON.stringify(property.value)}`];
		const { type, required, noDataExpression, displayOptions, typeOptions } = property;
		const modes = property.modes?.map((mode) => [mode.name, mode.typeOptions]);
		const said = { type, default: property.default, required, noDataExpression, modes };
		const facts = JSON.stringify({ ...said, ...typeOptions, ...displayOptions });
		return [`${place}: ${facts}`, ...linesOf(place, property.options ?? [])];
	});
}

it('Saved workflows hold what test/fixtures/parameters.txt says', () => {
	const lines = [
		...linesOf('eSign', new ESign().description.properties),
		...linesOf('eSign Trigger', new ESignTrigger().description.properties),
	];
	if (process.env.WRITE_PARAMETERS) writeFileSync(FIXTURE, `${lines.join('\n')}\n`);
	expect(lines).toEqual(readFileSync(FIXTURE, 'utf8').trimEnd().split('\n'));
});
