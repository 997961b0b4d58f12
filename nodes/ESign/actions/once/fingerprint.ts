import { createHash } from 'crypto';

/** Deeper than this nobody's data goes, and JavaScript itself gives up not much further down. */
const DEEPEST = 100;

/** A fingerprint of any values, whatever the order of their properties; fit to be saved, whatever secrets went into it. */
export function digest(values: unknown[]): string {
	return createHash('sha256').update(spelt(values)).digest('hex');
}

function spelt(values: unknown[]): string {
	try {
		return JSON.stringify(values, (_, value: unknown) => inOrder(value));
	} catch {
		// A Code node may hand on what JSON cannot hold.
		return JSON.stringify(readable(values, 0, new Map()));
	}
}

/** The editor of n8n writes the properties of a value anew, in an order of its own. */
function inOrder(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * A value with words in place of what cannot be read, has no end, or has been there before: what refers to itself, such as the
 * response of a request, often does so on more ways than anybody could go.
 */
function readable(value: unknown, depth: number, seen: Map<object, number>): unknown {
	if (typeof value === 'bigint') return `${value}n`;
	if (typeof value !== 'object' || value === null) return value;
	const before = seen.get(value);
	if (before !== undefined) return `[object ${before} again]`;
	if (depth >= DEEPEST) return '[deeper]';
	seen.set(value, seen.size);
	try {
		const { toJSON } = value as { toJSON?: unknown };
		if (typeof toJSON === 'function') return readable((toJSON as () => unknown).call(value), depth + 1, seen);
		if (Array.isArray(value)) return value.map((entry) => readable(entry, depth + 1, seen));
		return Object.keys(value)
			.sort()
			.map((name) => [name, readable(property(value, name), depth + 1, seen)]);
	} catch {
		return '[unreadable]';
	}
}

function property(holder: object, name: string): unknown {
	try {
		return (holder as Record<string, unknown>)[name];
	} catch {
		return '[unreadable]';
	}
}
