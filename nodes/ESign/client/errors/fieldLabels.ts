/** Properties of requests that the forms of this package call as the service does: `expires_in` is Expires In there. */
const AS_NAMED = `recipients signers fields field_values events name email type role phone title routing send status limit
	required placeholderText helpText dateFormat radioLayout value fontFamily fontBold fontItalic fontSize fontColor fieldKey
	fillMode expires_in label headline message expires_at max_uses`;

/** What the parts of a request are called in the forms: display names of the parameters that fill them. */
export const LABELS: Record<string, string> = {
	...Object.fromEntries(AS_NAMED.split(/\s+/).map((name) => [name, inWords(name)])),
	files: 'File IDs',
	embed: 'Embed Options',
	pin: 'PIN',
	url: 'URL',
	recipient_id: 'Recipient',
	recipientId: 'Recipient',
	pageNumber: 'Page',
	xNorm: 'Left',
	yNorm: 'Top',
	widthNorm: 'Width',
	heightNorm: 'Height',
	dropdownOptions: 'Options to Choose From',
	customFieldId: 'Custom Field ID',
	redirect_url: 'Redirect URL',
	placeholder_id: 'Role',
	is_open: 'Open to Visitors',
};

/** Paths below this one are named by the workspace, not by the service. */
const KEYED_BY_THE_USER = 'field_values';

/** The path of a bad value in the words of the forms: `recipients.0.email` becomes `Recipients, entry 1: Email`. */
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

/** `field_values` and `fieldValues` as Field Values. */
function inWords(name: string): string {
	const words = name.split(/_|(?=[A-Z])/);
	return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
