/**
 * What the parts of a request are called in the forms of this package: display names of the parameters that fill them
 * (where n8n wants "Name or ID" added to those, without that).
 */
export const LABELS: Record<string, string> = {
	recipients: 'Recipients',
	signers: 'Signers',
	fields: 'Fields',
	files: 'File IDs',
	field_values: 'Field Values',
	embed: 'Embed Options',
	events: 'Events',

	name: 'Name',
	email: 'Email',
	type: 'Type',
	role: 'Role',
	phone: 'Phone',
	pin: 'PIN',
	title: 'Title',
	routing: 'Routing',
	send: 'Send',
	status: 'Status',
	limit: 'Limit',
	url: 'URL',

	recipient_id: 'Recipient',
	recipientId: 'Recipient',
	pageNumber: 'Page',
	xNorm: 'Left',
	yNorm: 'Top',
	widthNorm: 'Width',
	heightNorm: 'Height',
	required: 'Required',
	placeholderText: 'Placeholder Text',
	helpText: 'Help Text',
	dropdownOptions: 'Options to Choose From',
	dateFormat: 'Date Format',
	radioLayout: 'Radio Layout',
	value: 'Value',
	fontFamily: 'Font Family',
	fontBold: 'Font Bold',
	fontItalic: 'Font Italic',
	fontSize: 'Font Size',
	fontColor: 'Font Color',
	fieldKey: 'Field Key',
	customFieldId: 'Custom Field ID',
	fillMode: 'Fill Mode',

	expires_in: 'Expires In',
	redirect_url: 'Redirect URL',
	placeholder_id: 'Role',
	is_open: 'Open to Visitors',
	label: 'Label',
	headline: 'Headline',
	message: 'Message',
	expires_at: 'Expires At',
	max_uses: 'Max Uses',
};

/** Paths below this one are named by the workspace, not by the service. */
const KEYED_BY_THE_USER = 'field_values';

/**
 * The path of a bad value in the words of the forms: `recipients.0.email` becomes `Recipients, entry 1: Email`. Parts
 * without a label stay as the service spells them.
 */
export function fieldLabel(path: string): string {
	// Both `fields.0.xNorm` and `fields[0].xNorm` or `/fields/0/xNorm` name the same value.
	const parts = path.split(/[./[\]]+/).filter((part) => part !== '');
	const words: string[] = [];
	parts.forEach((part, index) => {
		const last = words.length - 1;
		if (/^\d+$/.test(part) && last >= 0) words[last] = `${words[last]}, entry ${Number(part) + 1}`;
		else words.push(parts[index - 1] === KEYED_BY_THE_USER ? part : labelOf(part));
	});
	return words.join(': ');
}

function labelOf(part: string): string {
	return (Object.hasOwn(LABELS, part) && LABELS[part]) || part;
}
