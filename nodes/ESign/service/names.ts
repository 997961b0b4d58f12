/**
 * Properties of requests that the forms of this package call as the service does: `expires_in` is
 * Expires In there.
 */
const AS_NAMED = `recipients signers fields field_values events name email type role phone
	title routing send status limit required placeholderText helpText dateFormat radioLayout value
	fontFamily fontBold fontItalic fontSize fontColor fieldKey fillMode expires_in label headline
	message expires_at max_uses`;

/**
 * What the parts of a request are called in the forms: display names of the parameters that fill
 * them.
 */
export const LABELS: Record<string, string> = {
	...Object.fromEntries(AS_NAMED.split(/\s+/).map((name) => [name, inWords(name)])),
	// Of the input item, or given by ID.
	files: 'Files',
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

/** What the extra keys of an error say (docs/service.md section 7). */
export const EXTRA_LABELS = new Map([
	['requiredPlan', 'Required plan'],
	['known_roles', 'Roles of the template'],
	['missing_roles', 'Roles without a recipient'],
	['file_ids', 'Files in question'],
	['cap', 'Limit'],
]);

/** `field_values` and `fieldValues` as Field Values. */
function inWords(name: string): string {
	const words = name.split(/_|(?=[A-Z])/);
	return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
