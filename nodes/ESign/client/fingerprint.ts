import { createHash } from 'crypto';

/**
 * Tells values apart, whatever the order of their properties; fit to be saved, whatever secrets
 * went into it.
 */
export function fingerprint(values: unknown[]): string {
	return createHash('sha256').update(values.map(textOf).join()).digest('hex').slice(0, 32);
}

/** n8n's items may hold what JSON cannot, such as themselves. */
function textOf(value: unknown): string {
	try {
		return JSON.stringify(value, (_, part: unknown) => inOrder(part)) ?? 'undefined';
	} catch {
		return '[unreadable]';
	}
}

function inOrder(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
