import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../isObject';

/** Keys of this service and secrets of its webhooks, wherever they turn up. */
const SECRETS = '\\b(?:sk_(?:live|test)|whsec)_[\\w-]+';

/** Properties that hold a secret, whatever they say. */
const SECRET_NAMES = new Set(['signing_secret', 'pin']);

/** The access codes of recipients in a request body: a message of the service might quote them. */
export function pinsIn({ recipients }: IDataObject = {}): string[] {
	const people: unknown[] = Array.isArray(recipients) ? recipients : [];
	return people
		.filter(isObject)
		.map(({ pin }) => String(pin ?? ''))
		.filter((pin) => pin !== '');
}

/** Replaces keys, signing secrets and the given pins in every text of what came as JSON. */
export function redacted<T>(value: T, pins: string[]): T {
	const escaped = pins.map((pin) => pin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
	const given = escaped.map((pin) => `(?<!\\w)${pin}(?!\\w)`);
	const secrets = new RegExp([SECRETS, ...given].join('|'), 'g');
	const text = JSON.stringify(value ?? null);
	return JSON.parse(text, (name, part: unknown) => {
		if (SECRET_NAMES.has(name)) return '[hidden]';
		return typeof part === 'string' ? part.replace(secrets, '[hidden]') : part;
	}) as T;
}
