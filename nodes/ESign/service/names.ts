/**
 * What the parts of a request are called in the forms, where that is not how the service calls
 * them: `expires_in` is Expires In there. Below them what the extra keys of an error say
 * (docs/service.md section 7).
 */
const NAMED_OTHERWISE: Record<string, string> = {
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

	requiredPlan: 'Required plan',
	known_roles: 'Roles of the template',
	missing_roles: 'Roles without a recipient',
	file_ids: 'Files in question',
	cap: 'Limit',
};

/** What a part of a request or of an error is called: `field_values` is Field Values. */
export function labelOf(name: string): string {
	if (Object.hasOwn(NAMED_OTHERWISE, name)) return String(NAMED_OTHERWISE[name]);
	const words = name.split(/_|(?=[A-Z])/);
	return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}
