import { ANSWERS, NEVER_NULL, TEXTS } from './rows/answers';
import { OPERATIONS } from './rows/operations';
import type { Schema } from './support/servedDescription';
import {
	ALL_EVENTS,
	ANN,
	BOB,
	CAST,
	Receiver,
	SIGNATURE,
	signersOf,
	Workspace,
	type Caller,
	type Wire,
} from './workspace';

const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1);

/** A schema in the words of rows/answers.ts. */
function inWords(schema: Schema): string | object {
	const { anyOf, items, properties, required = [], pattern = '', format } = schema;
	const name = nameOf(schema);
	if (name) return name;
	if (anyOf) return anyOf.map(inWords).join(' or ');
	if (items) return `list of ${String(inWords(items))}`;
	if (properties) {
		return Object.fromEntries(
			Object.entries(properties).map(([key, property]) => [
				required.includes(key) ? key : `${key}?`,
				inWords(property),
			]),
		);
	}
	if (schema.enum) return schema.enum.join(', ');
	const prefix = /^\^(\w+_)\[0-9A-Za-z\]\+\$$/.exec(pattern)?.[1];
	return prefix ?? (pattern || (format === 'uri' ? 'url' : schema.type === 'string' ? 'text' : String(schema.type)));
}

/** The names of all schemas that a schema is made of. */
function partsOf(schema: Schema, schemas: Record<string, Schema>): string[] {
	const { anyOf = [], oneOf = [], items, properties = {} } = schema;
	const name = nameOf(schema);
	if (name) return [name, ...partsOf(schemas[name] ?? {}, schemas)];
	return [...anyOf, ...oneOf, ...(items ? [items] : []), ...Object.values(properties)].flatMap((part) =>
		partsOf(part, schemas),
	);
}

describe('every object of an answer that docs/service.md describes', () => {
	const workspace = Workspace.forTests();
	let receiver: Receiver;
	/** The endpoints that have answered with an object, and its properties with all the values that they had. */
	const seen: Record<string, { endpoints: Set<string>; values: Record<string, unknown[]> }> = {};

	/** Everything that the service answers with, with and without what may be null. */
	beforeAll(async () => {
		receiver = await Receiver.open();
		const { test, control } = workspace;
		record(test);
		const fields = [{ field_key: null, type: 'TEXT' as const, role: null, required: false, page: 1 }];
		const bare = { name: 'Bare', description: null, fields };
		await workspace.published({ ...bare, roles: [{ role: 'Reader', type: 'CC' }] });
		await test.get('/account');
		const hook = (await test.post('/webhooks', { url: receiver.url, events: ALL_EVENTS })).data;
		await documents();
		await templates();
		await control.advance(0);
		receiver.close();
		await workspace.sent(test);
		await control.advance(0);
		const [delivery] = (await test.get(`/webhooks/${hook.id}/deliveries?limit=100`)).data.data;
		await test.post(`/webhooks/${hook.id}/deliveries/${delivery?.id}/replay`);
		await test.get('/webhooks');
		await test.delete(`/webhooks/${hook.id}`);
	});

	async function documents(): Promise<void> {
		const { test, control } = workspace;
		const draft = await workspace.draft(test, [ANN, { ...BOB, type: 'cc' }]);
		await test.put(`/documents/${draft.id}/recipients`, { recipients: [ANN, { ...BOB, type: 'cc' }] });
		await test.put(`/documents/${draft.id}/fields`, {
			fields: [
				{ ...SIGNATURE, recipientId: draft.recipients[0].id, fieldKey: 'sign_here' },
				{ ...SIGNATURE, type: 'TEXT', recipientId: null, value: 'fixed', fillMode: 'PREFILLED' },
			],
		});
		const { id, recipients } = (await test.post(`/documents/${draft.id}/send`)).data;
		await test.post(`/documents/${id}/remind`);
		await test.post(`/documents/${id}/recipients/${recipients[0].id}/embed-link`);
		await control.sign(recipients[0].id);
		for (const variant of ['signed', 'certificate', 'original']) await test.get(`/documents/${id}/files/${variant}`);
		await test.get(`/documents/${id}`);
		await test.post(`/documents/${(await workspace.sent(test)).id}/cancel`);
		const declined = await workspace.sent(test);
		await control.decline(declined.recipients[0].id);
		await control.expire((await workspace.sent(test)).id);
	}

	async function templates(): Promise<void> {
		const { test, control } = workspace;
		const offer = await workspace.template(test, 'Offer Letter');
		const bare = (await test.get('/templates?limit=1')).data.data[0];
		await test.get(`/templates/${bare?.id}`);
		await test.post(`/templates/${offer.id}/send`, { recipients: CAST, embed: {} });
		const draft = (await test.post(`/templates/${offer.id}/send`, { recipients: CAST, send: false })).data;
		// The role stays with whoever is named again, and nobody else has one.
		await test.put(`/documents/${draft.id}/recipients`, { recipients: [ANN, { name: 'Cy', email: 'cy@example.com' }] });
		await sendBoth(draft.id);
		const nda = await workspace.template(test);
		const signers = signersOf(nda);
		const texts = { label: 'Site', headline: 'Hi', message: 'Sign', redirect_url: 'https://example.com/' };
		for (const options of [{}, { ...texts, expires_at: '2999-01-01T00:00:00Z', max_uses: 3 }]) {
			const { id } = (await test.post(`/templates/${nda.id}/links`, { signers, ...options })).data;
			const { slug } = (await test.post(`/template-links/${id}/rotate`)).data;
			await control.startLink(slug, ANN);
			await test.get(`/template-links/${id}`);
		}
		const links = (await test.get(`/templates/${nda.id}/links`)).data.data;
		await test.delete(`/template-links/${links[0]?.id}`);
		await test.get('/documents?limit=100');
		await test.get('/documents?limit=1');
		await test.get('/templates');
	}

	/** A draft with a recipient who has a role and one who has none goes through every answer about documents. */
	async function sendBoth(id: string): Promise<void> {
		const { test } = workspace;
		const { recipients } = (await test.get(`/documents/${id}`)).data;
		const fields = recipients.map((recipient) => ({ ...SIGNATURE, recipientId: recipient.id }));
		await test.put(`/documents/${id}/fields`, { fields });
		await test.post(`/documents/${id}/send`);
		await test.post(`/documents/${id}/cancel`);
	}

	function record(api: Caller): void {
		api.interceptors.response.use((response) => {
			const operation = workspace.description.find(response.config.method ?? '', response.config.url ?? '');
			if (!operation || response.status >= 300) throw new Error(`${response.config.url} answered ${response.status}`);
			note(operation.answer(response.status) ?? {}, response.data, operation.name);
			return response;
		});
	}

	/** Notes all objects in a value, which is as its schema says: `hold` has seen to that. */
	function note(schema: Schema, value: unknown, endpoint: string, name = ''): void {
		const { $ref, oneOf = [], items, properties = {} } = schema;
		if ($ref) return note(workspace.description.resolve(schema), value, endpoint, nameOf(schema));
		for (const choice of oneOf) if (isEventOf(choice, value)) note(choice, value, endpoint);
		if (Array.isArray(value)) for (const item of value) note(items ?? {}, item, endpoint);
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
		const known = (seen[name] ??= { endpoints: new Set(), values: {} });
		known.endpoints.add(endpoint);
		for (const [key, property] of Object.entries(properties)) {
			if (!(key in value)) continue;
			const inner = (value as Record<string, unknown>)[key];
			(known.values[key] ??= []).push(inner);
			note(property, inner, endpoint);
		}
	}

	/** Of the two kinds of events the one that has this event. */
	function isEventOf(choice: Schema, value: unknown): boolean {
		return workspace.description.resolve(choice).properties?.event?.enum?.includes((value as Wire).event) ?? false;
	}

	const schemas = () => workspace.description.document.components.schemas;
	const answered = () =>
		workspace.description.operations.map(({ name, answer, statuses }) => {
			const schema = answer(statuses.find((status) => status < 300) ?? 200) ?? {};
			return [name, nameOf(schema), partsOf(schema, schemas())] as const;
		});

	it('is answered by its endpoints', () => {
		expect(Object.fromEntries(answered())).toEqual(
			Object.fromEntries(Object.entries(OPERATIONS).map(([, [endpoint, , object]]) => [endpoint, object])),
		);
	});

	it.each(Object.entries({ ...ANSWERS, ...TEXTS }))(
		'has the properties that it has by the tables: %s',
		(name, words) => {
			expect(inWords(schemas()[name] ?? {})).toEqual(words);
		},
	);

	it('stands in the tables, and the tables have no other', () => {
		const described = new Set(answered().flatMap(([, , parts]) => parts));
		// One of two events.
		described.delete('EventPayload');
		expect([...described].sort()).toEqual(Object.keys({ ...ANSWERS, ...TEXTS }).sort());
	});

	it.each(Object.entries(ANSWERS))('is in the answers, with a value and as null: %s', (name, words) => {
		const endpoints = answered().filter(([, , parts]) => parts.includes(name));
		expect([...(seen[name]?.endpoints ?? [])].sort()).toEqual(endpoints.map(([endpoint]) => endpoint).sort());
		for (const [key, word] of Object.entries(words)) {
			const property = key.replace('?', '');
			const values = seen[name]?.values[property] ?? [];
			const mayBeNull = String(word).endsWith(' or null') && !NEVER_NULL.includes(`${name}.${property}`);
			const found = [property, values.some((value) => value !== null), values.includes(null)];
			expect(found).toEqual([property, word !== 'null', mayBeNull || word === 'null']);
		}
	});
});
