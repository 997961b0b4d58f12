import { createHash } from 'crypto';

/** Deeper than this nobody's data goes, and JavaScript itself gives up not much further down. */
const DEEPEST = 100;

/** A fingerprint of any values; fit to be saved, whatever secrets went into it. */
export function digest(values: unknown[]): string {
	return createHash('sha256').update(spelt(values)).digest('hex');
}

function spelt(values: unknown[]): string {
	try {
		return JSON.stringify(values);
	} catch {
		// A Code node may hand on what JSON cannot hold.
		return JSON.stringify(readable(values, []));
	}
}

/** A value with words in place of what cannot be read, or has no end. */
function readable(value: unknown, within: readonly object[]): unknown {
	if (typeof value === 'bigint') return `${value}n`;
	if (typeof value !== 'object' || value === null) return value;
	if (within.includes(value)) return '[itself]';
	if (within.length >= DEEPEST) return '[deeper]';
	try {
		const { toJSON } = value as { toJSON?: unknown };
		if (typeof toJSON === 'function') return (toJSON as () => unknown).call(value);
		const inside = [...within, value];
		if (Array.isArray(value)) return value.map((entry) => readable(entry, inside));
		return Object.keys(value).map((name) => [name, readable(property(value, name), inside)]);
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
