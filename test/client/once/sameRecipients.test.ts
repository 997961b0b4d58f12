import type { IDataObject } from 'n8n-workflow';
import { likenessKey, type Endpoint } from '../../../nodes/ESign/client';
import type { Call } from '../../../nodes/ESign/client/once/call';
import { reconcilerOf } from '../../../nodes/ESign/client/once/looking/reconcilers';

function isTakenFor(one: string, other: string): boolean {
	const keyOf = (email: string) => likenessKey({ title: 'T', recipients: [{ email }] });
	return keyOf(one) === keyOf(other);
}

it.each([
	['a@x.example', 'a@x.example:80'],
	['a\u200Db@x.example', 'ab@x.example'],
	['a@b@x.example', 'b@x.example'],
])('%s is not taken for %s', (one, other) => {
	expect(isTakenFor(one, other)).toBe(false);
	expect(isTakenFor(other, one)).toBe(false);
});

it.each([
	['Ada@X.example', ' ada@x.example\u00A0'],
	['zoë@x.example', 'zoe\u0308@x.example'],
])('%s is taken for %s', (one, other) => {
	expect(isTakenFor(one, other)).toBe(true);
});

it.each<[Endpoint, IDataObject, IDataObject]>([
	[
		'POST /templates/{id}/send',
		{ recipients: [{ name: 'Zo\u00eb', email: 'zoe@example.com' }, { email: 'ada@example.com' }] },
		{ recipients: [{ email: 'ADA@example.com' }, { name: 'Zoe\u0308', email: 'zoe@example.com' }] },
	],
	[
		'POST /templates/{id}/links',
		{ label: 'Zo\u00eb', signers: [] },
		{ label: 'Zoe\u0308', signers: [] },
	],
	['POST /webhooks', { url: 'https://N8N.example' }, { url: 'https://n8n.example/' }],
])('%s: what is only spelt in another way goes one after the other', (endpoint, one, other) => {
	const nameOf = (body: IDataObject) =>
		reconcilerOf({ endpoint, request: { path: {}, body } } as unknown as Call).alike;
	expect(nameOf(other)).toBe(nameOf(one));
	expect(nameOf({ ...one, recipients: [], label: 'Other', url: 'https://other.example' })).not.toBe(
		nameOf(one),
	);
});
