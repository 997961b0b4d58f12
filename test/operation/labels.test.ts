import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { LABELS } from '../../nodes/ESign/service/names';

/** Every parameter of the node with its name, those inside of collections included. */
function parameters(
	properties: ReadonlyArray<INodeProperties | INodePropertyOptions | INodePropertyCollection>,
): Array<{
	name: string;
	label: string;
}> {
	return properties.flatMap((property) => {
		if ('values' in property) return parameters(property.values);
		if (!('displayName' in property)) return [];
		const label = property.displayName.replace(/ Name or ID$/, '');
		return [{ name: property.name, label }, ...parameters(property.options ?? [])];
	});
}

const form = parameters(new ESign().description.properties);
const camelCase = (name: string) =>
	name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('The label by which an error names a value', () => {
	// `files` come from Input Binary Fields or from File IDs.
	it.each(Object.entries(LABELS).filter(([name]) => name !== 'files'))(
		'of %s is %s, which a parameter of the form is called',
		(_, label) => {
			expect(form.map((parameter) => parameter.label)).toContain(label);
		},
	);

	// `embed` is a switch in the form, whose options stand in a collection of their own.
	it.each(Object.entries(LABELS).filter(([name]) => name !== 'embed'))(
		'of %s is that of the parameter with the same name, if there is one',
		(name, label) => {
			const namesakes = form.filter((parameter) => parameter.name === camelCase(name));
			if (namesakes.length > 0)
				expect(namesakes.map((parameter) => parameter.label)).toContain(label);
		},
	);
});
