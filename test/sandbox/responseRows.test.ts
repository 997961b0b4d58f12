import type { AxiosInstance } from 'axios';
import { RESPONSE_TABLES, type Check } from './rows/responseRows';
import { ALL_EVENTS, ANN, BOB, Receiver, SIGNATURE, Workspace, type Wire } from './workspace';

type Tree = Record<string, unknown>;

const ROWS = RESPONSE_TABLES.flatMap(({ title, rows, carriers }) =>
	Object.entries(rows).flatMap(([name, check]) =>
		carriers.map(([endpoint, at]): [string, string, string, string, Check] => [title, name, endpoint, at, check]),
	),
);

/** All objects that lie at `at` in an answer; `[]` stands for each item of a list. */
function objectsAt(answer: unknown, at: string): Tree[] {
	let found: unknown[] = [answer];
	for (const segment of at.split('.').filter(Boolean)) {
		const name = segment.replace('[]', '');
		found = found.flatMap((node) => (node as Tree)[name] ?? []);
	}
	return found as Tree[];
}

describe('every row of every table of docs/service.md that describes an answer', () => {
	const workspace = Workspace.forTests();
	let receiver: Receiver;
	/** Everything that each endpoint answered with in the course of the story. */
	const answers = new Map<string, unknown[]>();

	/** Everything that the service answers with, with and without what may be null. */
	beforeAll(async () => {
		receiver = await Receiver.open();
		const { test, control } = workspace;
		record(test);
		await control.createTemplate({
			...{
				mode: 'TEST',
				name: 'Bare',
				description: null,
				status: 'PUBLISHED',
				fields: [{ field_key: null, type: 'TEXT', role: null, required: false, page: 1 }],
			},
			roles: [{ role: 'Reader', type: 'CC' }],
		});
		await test.get('/account');
		const hook = (await test.post<Wire>('/webhooks', { url: receiver.url, events: ALL_EVENTS })).data;
		await documents();
		await templates();
		await control.advance(0);
		receiver.close();
		await workspace.sent(test);
		await control.advance(0);
		const [delivery] = (await test.get<Wire>(`/webhooks/${hook.id}/deliveries?limit=100`)).data.data;
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
				{ ...SIGNATURE, recipientId: draft.recipients[0]?.id, fieldKey: 'sign_here' },
				{ ...SIGNATURE, type: 'TEXT', recipientId: null, value: 'fixed', fillMode: 'PREFILLED' },
			],
		});
		const { id, recipients } = (await test.post<Wire>(`/documents/${draft.id}/send`)).data;
		await test.post(`/documents/${id}/remind`);
		await test.post(`/documents/${id}/recipients/${recipients[0]?.id}/embed-link`);
		await control.sign(recipients[0]?.id ?? '');
		for (const variant of ['signed', 'certificate', 'original']) await test.get(`/documents/${id}/files/${variant}`);
		await test.get(`/documents/${id}`);
		await test.post(`/documents/${(await workspace.sent(test)).id}/cancel`);
		const declined = await workspace.sent(test);
		await control.decline(declined.recipients[0]?.id ?? '');
		await control.expire((await workspace.sent(test)).id);
	}

	async function templates(): Promise<void> {
		const { test, control } = workspace;
		const offer = await workspace.template(test, 'Offer Letter');
		const bare = (await test.get<Wire>('/templates?limit=1')).data.data[0];
		await test.get(`/templates/${bare?.id}`);
		const recipients = [
			{ role: 'Candidate', ...ANN },
			{ role: 'HR', ...BOB },
		];
		await test.post(`/templates/${offer.id}/send`, { recipients, embed: {} });
		const draft = (await test.post<Wire>(`/templates/${offer.id}/send`, { recipients, send: false })).data;
		// The role stays with whoever is named again, and nobody else has one.
		await test.put(`/documents/${draft.id}/recipients`, { recipients: [ANN, { name: 'Cy', email: 'cy@example.com' }] });
		await sendBoth(draft.id);
		const nda = await workspace.template(test);
		const [open, other] = nda.roles.map(({ id }) => ({ placeholder_id: id }));
		const signers = [
			{ ...open, is_open: true },
			{ ...other, is_open: false, ...BOB },
		];
		const texts = { label: 'Site', headline: 'Hi', message: 'Sign', redirect_url: 'https://example.com/' };
		for (const options of [{}, { ...texts, expires_at: '2999-01-01T00:00:00Z', max_uses: 3 }]) {
			const { id } = (await test.post<Wire>(`/templates/${nda.id}/links`, { signers, ...options })).data;
			const { slug } = (await test.post<Wire>(`/template-links/${id}/rotate`)).data;
			await control.startLink(slug, ANN);
			await test.get(`/template-links/${id}`);
		}
		const links = (await test.get<Wire>(`/templates/${nda.id}/links`)).data.data;
		await test.delete(`/template-links/${links[0]?.id}`);
		await test.get('/documents?limit=100');
		await test.get('/documents?limit=1');
		await test.get('/templates');
	}

	/** A draft with a recipient who has a role and one who has none goes through every answer about documents. */
	async function sendBoth(id: string): Promise<void> {
		const { test } = workspace;
		const { recipients } = (await test.get<Wire>(`/documents/${id}`)).data;
		const fields = recipients.map((recipient) => ({ ...SIGNATURE, recipientId: recipient.id }));
		await test.put(`/documents/${id}/fields`, { fields });
		await test.post(`/documents/${id}/send`);
		await test.post(`/documents/${id}/cancel`);
	}

	function record(api: AxiosInstance): void {
		api.interceptors.response.use((response) => {
			const operation = workspace.description.find(response.config.method ?? '', response.config.url ?? '');
			if (!operation || response.status >= 300) throw new Error(`${response.config.url} answered ${response.status}`);
			answers.set(operation.name, [...(answers.get(operation.name) ?? []), response.data]);
			return response;
		});
	}

	const found = (endpoint: string, at: string) =>
		(answers.get(endpoint) ?? []).flatMap((answer) => objectsAt(answer, at));

	it.each(ROWS)('%s: %s is in the answer of %s %s', (_title, name, endpoint, at, { fits, nullable, optional }) => {
		const objects = found(endpoint, at);
		expect(objects.length).toBeGreaterThan(0);
		const values = objects.filter((object) => !optional || name in object).map((object) => object[name]);
		expect(values.length).toBeGreaterThan(0);
		expect(values.filter((value) => !fits(value) && !(nullable && value === null))).toEqual([]);
		// Seen with a value somewhere, and as null wherever that can be.
		expect(values.some(fits)).toBe(true);
	});

	it.each(
		RESPONSE_TABLES.flatMap(({ title, rows, carriers }) =>
			Object.entries(rows)
				.filter(([, { nullable }]) => nullable)
				.map(([name, { nullable }]) => [title, name, carriers, nullable === true] as const),
		),
	)('%s: %s is null where there is nothing to say', (_title, name, carriers, seen) => {
		const values = carriers.flatMap(([endpoint, at]) => found(endpoint, at)).map((object) => object[name]);
		expect(values.includes(null)).toBe(seen);
	});

	it.each(RESPONSE_TABLES.map((table) => [table.title, table] as const))(
		'%s: nothing else is in the answers',
		(_title, { rows, carriers }) => {
			for (const [endpoint, at] of carriers) {
				for (const object of found(endpoint, at))
					expect(Object.keys(rows)).toEqual(expect.arrayContaining(Object.keys(object)));
			}
		},
	);

	it('has a row for every property of every answer that is described, and no other', () => {
		const { description } = workspace;
		const described = description.operations.flatMap((operation) => {
			const answer = operation.answer(operation.statuses.find((status) => status < 300) ?? 200) ?? {};
			const properties = description.propertiesOf(answer, (at) => `${at}[]`);
			return properties.map(([at, name]) => `${operation.name} ${at} ${name}`);
		});
		const rows = RESPONSE_TABLES.flatMap(({ rows: names, carriers }) =>
			carriers.flatMap(([endpoint, at]) => Object.keys(names).map((name) => `${endpoint} ${at} ${name}`)),
		);
		expect(rows.sort()).toEqual(described.sort());
	});
});
