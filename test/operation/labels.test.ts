import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { labelOf } from '../../nodes/ESign/service/names';

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

/** The properties of requests that the forms have parameters for. */
const NAMES = `recipients signers fields field_values events name email type role phone pin title
	routing send status limit required placeholderText helpText dateFormat radioLayout value
	fontFamily fontBold fontItalic fontSize fontColor fieldKey fillMode expires_in label headline
	message expires_at max_uses files embed url recipient_id recipientId pageNumber xNorm yNorm
	widthNorm heightNorm dropdownOptions customFieldId redirect_url placeholder_id is_open`
	.split(/\s+/)
	.map((name) => [name, labelOf(name)] as const);

const form = parameters(new ESign().description.properties);
const camelCase = (name: string) =>
	name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describe('The label by which an error names a value', () => {
	// `files` come from Input Binary Fields or from File IDs.
	it.each(NAMES.filter(([name]) => name !== 'files'))(
		'of %s is %s, which a parameter of the form is called',
		(_, label) => {
			expect(form.map((parameter) => parameter.label)).toContain(label);
		},
	);

	// `embed` is a switch in the form, whose options stand in a collection of their own.
	it.each(NAMES.filter(([name]) => name !== 'embed'))(
		'of %s is that of the parameter with the same name, if there is one',
		(name, label) => {
			const namesakes = form.filter((parameter) => parameter.name === camelCase(name));
			if (namesakes.length > 0)
				expect(namesakes.map((parameter) => parameter.label)).toContain(label);
		},
	);
});
