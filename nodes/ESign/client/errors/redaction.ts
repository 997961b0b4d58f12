/** Keys of this service and secrets of its webhooks, wherever they turn up. */
const SECRET_SHAPES = /\b(?:sk_(?:live|test)|whsec)_[\w-]+/g;

/** The access codes in a request body: a message of the service might quote them. */
export function pinsIn(body: unknown): string[] {
	if (Array.isArray(body)) return body.flatMap(pinsIn);
	if (typeof body !== 'object' || body === null) return [];
	return Object.entries(body).flatMap(([name, value]) =>
		name === 'pin' && (typeof value === 'string' || typeof value === 'number')
			? [String(value)]
			: pinsIn(value),
	);
}

/** Replaces keys, signing secrets and the given pins in every text of the value. */
export function redacted<T>(value: T, pins: string[]): T {
	if (typeof value === 'string') return redactedText(value, pins) as T;
	if (Array.isArray(value)) return value.map((entry: unknown) => redacted(entry, pins)) as T;
	if (typeof value !== 'object' || value === null) return value;
	const clean = Object.entries(value).map(([name, entry]: [string, unknown]) => [
		name,
		name === 'signing_secret' || name === 'pin' ? '[hidden]' : redacted(entry, pins),
	]);
	return Object.fromEntries(clean) as T;
}

function redactedText(text: string, pins: string[]): string {
	const escaped = pins
		.filter((pin) => pin !== '')
		.map((pin) => pin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const given = escaped.map((pin) => new RegExp(`(?<!\\w)${pin}(?!\\w)`, 'g'));
	return [SECRET_SHAPES, ...given].reduce(
		(clean, secret) => clean.replace(secret, '[hidden]'),
		text,
	);
}
