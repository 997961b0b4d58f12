import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { client } from '../../../nodes/ESign/client';
import { methods } from '../../../nodes/ESign/methods';
import { bench, openBench, templateIds } from '../support/operationRun';
import { said } from '../support/said';
import { byId } from '../support/workbench';

openBench();

const { clock } = client.settings;
let laterMs = 0;
beforeAll(() => void (client.settings.clock = { ...clock, now: () => clock.now() + laterMs }));
// Nothing that another test has read is known.
beforeEach(() => minutesLater(11));
afterAll(() => void (client.settings.clock = clock));

const minutesLater = (minutes: number) => void (laterMs += minutes * 60_000);

const TYPES = [
	'TEXT',
	'TEXTAREA',
	'NUMBER',
	'PHONE',
	'CHECKBOX',
	'DROPDOWN',
	'RADIO_GROUP',
	'DATE',
	'EMAIL',
] as const;
const PERSON = { role: 'Client', name: 'Ada', email: 'ada@example.com' };

/** A template with one field of every type that takes a value. */
async function everyType(): Promise<{ id: string; schema: IDataObject[] }> {
	const { id } = await bench.sandbox.control.createTemplate({
		mode: 'TEST',
		name: 'Every type',
		status: 'PUBLISHED',
		roles: [{ role: 'Client', type: 'SIGNER' }],
		fields: [
			...TYPES.map((type) => ({
				field_key: `a_${type.toLowerCase()}`,
				type,
				role: 'Client',
				required: false,
				page: 1,
				...((type === 'DATE' || type === 'EMAIL') && { customFieldId: `custom_${type}` }),
				...((type === 'DROPDOWN' || type === 'RADIO_GROUP') && { dropdownOptions: ['x', 'true'] }),
			})),
			{ field_key: null, type: 'SIGNATURE', role: 'Client', required: true, page: 1 },
		],
	});
	const form = bench.form('template', 'send', { templateId: byId(id) });
	const { fields } = await methods.resourceMapping.getTemplateFields.call(form);
	return {
		id,
		schema: fields.map((field) => ({ ...field, removed: false })) as unknown as IDataObject[],
	};
}

const parametersOf = (id: unknown, fieldValues: IDataObject): INodeParameters => ({
	templateId: byId(id),
	recipientsInput: 'json',
	recipientsJson: JSON.stringify([PERSON]),
	fieldValues: fieldValues as INodeParameters,
	send: false,
});

/** What the editor stores of fields of a template. */
const schemaOf = (templateId: string, ...ids: string[]) =>
	ids.map((id) => ({ id, type: 'string', kind: 'string', templateId }));

it('A value for a field of each type is written as the service reads it, unless the field was taken out', async () => {
	const { id, schema } = await everyType();
	const texts = { a_text: 'x', a_textarea: 'x', a_phone: '+44 20 7946 0000' };
	const others = {
		a_number: '={{ 7 }}',
		a_checkbox: '={{ 1 }}',
		a_dropdown: '={{ ["x"] }}',
		a_radio_group: '={{ true }}',
	};
	const value = {
		...texts,
		...others,
		a_email: 'a@example.com',
		a_date: '={{ new Date("2026-03-04T02:00:00Z") }}',
	};
	const workflowSettings = { timezone: 'America/New_York' };
	// It was filled in, and then taken out of the form.
	const fields = schema.map((field) => ({ ...field, removed: field.id === 'a_email' }));
	const parameters = parametersOf(id, { mappingMode: 'defineBelow', value, schema: fields });
	bench.takeRequests();
	const { error } = await bench.run('template', 'send', parameters, { workflowSettings });
	expect(error).toBeUndefined();
	const written = {
		a_number: '7',
		a_checkbox: 'true',
		a_dropdown: 'x',
		a_radio_group: 'true',
		a_date: '2026-03-03',
	};
	const [, { body } = {}] = bench.takeRequests();
	expect((body as IDataObject).field_values).toEqual({ ...texts, ...written });
});

describe('Field Values mapped automatically', () => {
	const item = (json: IDataObject): INodeExecutionData => ({ json });
	const auto = (schema: unknown): IDataObject =>
		({ mappingMode: 'autoMapInputData', value: null, schema }) as IDataObject;
	const RECIPIENTS = JSON.stringify([
		PERSON,
		{ role: 'Company', name: 'Grace', email: 'grace@example.com' },
	]);
	const sends = () =>
		bench
			.takeRequests()
			.map(({ method, path, body }) => [
				method,
				path,
				(body as IDataObject | undefined)?.field_values,
			]);
	const run = async (
		templateId: INodeParameters,
		schema: unknown,
		items: INodeExecutionData[],
		executionId?: string,
	) =>
		await bench.run(
			'template',
			'send',
			{ ...parametersOf('', auto(schema)), templateId, recipientsJson: RECIPIENTS },
			{ items, executionId },
		);
	const byExpression: INodeParameters = { __rl: true, mode: 'id', value: '={{ $json.template }}' };

	it.each([
		['no schema', []],
		['a schema that is null', null],
		[
			'the schema of another template',
			[{ id: 'position', displayName: 'Position', type: 'string' }],
		],
	])(
		'lose nothing when an expression names the template and the editor stored %s',
		async (_, schema) => {
			const { nda } = await templateIds();
			const json = {
				template: nda,
				client_company: 'Example Ltd',
				effective_date: '2026-03-01',
				unrelated: 'x',
				id: 7,
			};
			const { error } = await run(byExpression, schema, [
				item(json),
				item({ ...json, client_company: ['Other Ltd'] }),
			]);
			expect(error).toBeUndefined();
			expect(sends()).toEqual([
				['GET', `/templates/${nda}`, undefined],
				[
					'POST',
					`/templates/${nda}/send`,
					{ client_company: 'Example Ltd', effective_date: '2026-03-01' },
				],
				[
					'POST',
					`/templates/${nda}/send`,
					{ client_company: 'Other Ltd', effective_date: '2026-03-01' },
				],
			]);
		},
	);

	it('read the template once in ten minutes, whatever the editor knew, for all executions', async () => {
		const { nda } = await templateIds();
		for (const execution of ['loop-1', 'loop-1', 'loop-2']) {
			await run(byExpression, [], [item({ template: nda, client_company: execution })], execution);
		}
		await run(byId(nda), schemaOf(nda, 'client_company'), [item({ client_company: 'stored' })]);
		minutesLater(11);
		await run(byId(nda), schemaOf(nda, 'client_company'), [item({ client_company: 'later' })]);
		expect(sends().map(([method, , values]) => values ?? method)).toEqual([
			'GET',
			{ client_company: 'loop-1' },
			{ client_company: 'loop-1' },
			{ client_company: 'loop-2' },
			{ client_company: 'stored' },
			'GET',
			{ client_company: 'later' },
		]);
	});

	it('cost no request for an item that is refused anyway, and refuse a date that has to be guessed', async () => {
		const { nda } = await templateIds();
		const parameters = {
			...parametersOf('', auto([])),
			templateId: byExpression,
			recipientsJson: '[]',
		};
		const { error } = await bench.run('template', 'send', parameters, {
			items: [item({ template: nda })],
		});
		expect(error?.message).toMatch(/^Recipients \(JSON\) is empty/);
		expect(sends()).toEqual([]);
		const guess = await run(
			byExpression,
			[],
			[item({ template: nda, effective_date: '03.04.2026' })],
		);
		expect(guess.error?.message).toMatch(
			/^Field Values > effective_date: "03\.04\.2026" is not a valid date/,
		);
	});

	it('read the template again after a reading that failed', async () => {
		const { nda } = await templateIds();
		const { key } = await bench.sandbox.control.createKey({
			mode: 'TEST',
			scopes: ['templates:write'],
		});
		const items = [item({ template: nda, client_company: 'A' })];
		const read = async () => (await run(byExpression, [], items, 'again')).error;
		bench.useKey(key);
		expect((await read())?.httpCode).toBe('403');
		bench.useKey();
		expect(await read()).toBeUndefined();
	});
});

describe('Field Values of a form that was filled in for another template', () => {
	it('are refused where the template has no such field: the service would leave them out in silence', async () => {
		const { nda, offer } = await templateIds();
		const schema = schemaOf(offer, 'position', 'client_company');
		const fill = async (value: IDataObject) => {
			const parameters = parametersOf(nda, { mappingMode: 'defineBelow', value, schema });
			const company = { role: 'Company', name: 'Grace', email: 'grace@example.com' };
			parameters.recipientsJson = JSON.stringify([PERSON, company]);
			const { error } = await bench.run('template', 'send', parameters);
			return { error, methods: bench.takeRequests().map(({ method }) => method) };
		};
		const lost = await fill({ position: 'Engineer', client_company: 'Example Ltd' });
		expect(lost.error?.message).toMatch(
			/^Field Values > position: the template has no such field; it has: client_company, term/,
		);
		expect(lost.methods).toEqual(['GET']);
		const kept = await fill({ position: '', client_company: 'Example Ltd' });
		expect(kept).toEqual({ error: undefined, methods: ['POST'] });
	});
});

describe('A value for a field that only its signer fills', () => {
	const PEOPLE = JSON.stringify([
		{ ...PERSON, role: 'Candidate' },
		{ role: 'HR', name: 'Grace', email: 'grace@example.com' },
	]);

	async function send(fieldValues: IDataObject, json: IDataObject = {}) {
		const { offer } = await templateIds();
		const parameters = { ...parametersOf(offer, fieldValues), recipientsJson: PEOPLE };
		const { error, hints } = await bench.run('template', 'send', parameters, { items: [{ json }] });
		return { message: error?.message, hints: hints.map(({ message }) => message) };
	}

	it('is refused as such, not as one of a field that the template does not have', async () => {
		const value = { candidate_signature: 'Ada' };
		const { message } = await send({ mappingMode: 'defineBelow', value });
		expect(message).toBe('Field Values > candidate_signature: a field of its type takes no value');
	});

	it('is named below the output where it came with the input item', async () => {
		const row = { position: 'Engineer', candidate_signature: 'Ada' };
		const { hints } = await send({ mappingMode: 'autoMapInputData', value: null }, row);
		expect(hints).toContain(
			'Field Values: left to the signer, because fields of their type take no value: candidate_signature',
		);
	});
});

describe('Values by name, for a template whose fields are', () => {
	const field = (field_key: string | null, type: 'DATE' | 'SIGNATURE' | 'TEXT', page = 1) => ({
		field_key,
		type,
		role: 'Client',
		required: false,
		page,
		...(type === 'DATE' && { customFieldId: 'custom' }),
	});

	/** What the form shows of the fields, and what becomes of an item. */
	async function map(fields: Array<ReturnType<typeof field>>, json: IDataObject) {
		const { id } = await bench.sandbox.control.createTemplate({
			mode: 'TEST',
			name: 'T',
			status: 'PUBLISHED',
			roles: [{ role: 'Client', type: 'SIGNER' }],
			fields: [...fields, field(null, 'SIGNATURE')],
		});
		const form = bench.form('template', 'send', { templateId: byId(id) });
		const shown = await methods.resourceMapping.getTemplateFields.call(form);
		const parameters = parametersOf(id, { mappingMode: 'autoMapInputData', value: null });
		const { error, hints } = await bench.run('template', 'send', parameters, { items: [{ json }] });
		return {
			shown: shown.fields.map(({ displayName }) => displayName),
			message: error?.message,
			hints: hints.map(({ message }) => message),
		};
	}

	it('two boxes of one key, the first box counts, in the form as well', async () => {
		const twice = [field('when', 'DATE'), field('when', 'TEXT', 2)];
		expect(await map(twice, { when: 'soon' })).toEqual({
			shown: ['when (Client, date YYYY-MM-DD)'],
			message: 'Field Values > when: "soon" is not a valid date',
			hints: [],
		});
	});

	it('a text and a signature, what is lost is told before what is empty', async () => {
		const fields = [field('place', 'TEXT'), field('signed', 'SIGNATURE')];
		const { hints } = await map(fields, { place: '', signed: 'Ada' });
		expect(hints.slice(0, 2)).toEqual([
			'Field Values: left to the signer, because fields of their type take no value: signed',
			'Field Values: left to the signer, because the input has no value for them: place',
		]);
	});
});

describe('A hint below the output', () => {
	const IS_DRAFT: unknown = expect.stringContaining('created, not sent');

	/** What is said of these values for the template with every type. */
	async function hintsOn(value: IDataObject, items?: INodeExecutionData[]): Promise<string[]> {
		const { id, schema } = await everyType();
		const parameters = parametersOf(id, { mappingMode: 'defineBelow', value, schema });
		const { hints, error } = await bench.run('template', 'send', parameters, { items });
		expect(error).toBeUndefined();
		return hints.map(({ message }) => message);
	}

	it('names the fields that are left to the signer because an expression found nothing, once for all items', async () => {
		const value = { a_text: '={{ $json.missing }}', a_number: '={{ $json.gone }}', a_phone: '' };
		expect(await hintsOn(value, [{ json: {} }, { json: {} }])).toEqual([
			'Field Values: left to the signer, because the expression found nothing: a_text, a_number',
			IS_DRAFT,
		]);
	});
});

describe('A template that was edited after the node was set up', () => {
	/** Send is on for `sent`: the contract would go out without the value. */
	async function send(fieldValues: IDataObject, json: IDataObject, send: boolean) {
		const { nda } = await templateIds();
		const company = { role: 'Company', name: 'Grace', email: 'grace@example.com' };
		const parameters = {
			...parametersOf(nda, { ...fieldValues, schema: schemaOf(nda, 'company_name') }),
			recipientsJson: JSON.stringify([PERSON, company]),
			send,
		};
		const { error, hints } = await bench.run('template', 'send', parameters, { items: [{ json }] });
		const sent = bench.takeRequests().find(({ method }) => method === 'POST');
		return {
			said: error && said(error),
			values: (sent?.body as IDataObject | undefined)?.field_values,
			hints: hints.map(({ message }) => message).filter((hint) => hint.startsWith('Field Values')),
		};
	}
	const AUTO = { mappingMode: 'autoMapInputData', value: null };
	const byOne = (value: IDataObject) => ({ mappingMode: 'defineBelow', value });
	const HAS = 'client_company, term_months, effective_date, governing_law, client_signed_on';
	const REST = 'term_months, effective_date, governing_law, client_signed_on';

	it.each<[string, IDataObject, IDataObject, RegExp]>([
		[
			'by one',
			byOne({ company_name: 'Acme' }),
			{},
			/^Field Values > company_name: the template has no such field; it has: client_company/,
		],
		['by name', AUTO, { company_name: 'Acme' }, /^Field Values: no field of the input is called/],
		[
			'by headings of a person',
			AUTO,
			{ 'Client Company': 'Acme', 'Term (months)': 12 },
			new RegExp(
				`the template, which has: ${HAS}.*The input has: Client Company, Term \\(mon`,
				's',
			),
		],
		['by an item without fields', AUTO, {}, /The input has no fields/],
	])('is not sent without what was mapped %s', async (_, fieldValues, json, message) => {
		const { said, values } = await send(fieldValues, json, true);
		expect(values).toBeUndefined();
		expect(said).toMatch(message);
	});

	it('gets by name what it has, and names what is left to the signer', async () => {
		const json = { company_name: 'Acme', client_company: 'Acme Ltd', term_months: null };
		expect(await send(AUTO, json, true)).toEqual({
			said: undefined,
			values: { client_company: 'Acme Ltd' },
			hints: [`Field Values: left to the signer, because the input has no value for them: ${REST}`],
		});
	});

	it('as a draft is made without them, and says so', async () => {
		const { values, hints, said } = await send(AUTO, { Company: 'Acme' }, false);
		expect({ values, said }).toEqual({});
		expect(hints).toEqual([
			`Field Values: all left to the signer, because the input has no field that is called like one of the template: ${HAS}`,
		]);
	});

	it('is read again before a value is refused, once in a minute', async () => {
		const { id } = await everyType();
		const parameters = parametersOf(id, byOne({ a_text: 'x' }));
		await bench.run('template', 'send', parameters);
		minutesLater(2);
		bench.takeRequests();
		const wrong = parametersOf(id, byOne({ a_txt: 'x' }));
		const settings = { onError: 'continueRegularOutput' } as const;
		await bench.run('template', 'send', wrong, { items: [{ json: {} }, { json: {} }], settings });
		expect(bench.takeRequests().map(({ method }) => method)).toEqual(['GET']);
	});

	it('costs no request where no value is given', async () => {
		const { nda } = await templateIds();
		minutesLater(11);
		const value = { client_company: '', term_months: '={{ $json.nothing }}' };
		await send(byOne(value), {}, false);
		const parameters = parametersOf(nda, byOne(value));
		await bench.run('template', 'send', parameters);
		expect(bench.takeRequests().filter(({ method }) => method === 'GET')).toEqual([]);
	});
});

describe('What a program wrote in place of a form is refused, not lost:', () => {
	const VALUES = { client_company: 'Acme', 'Client name': 'Ada' };
	it.each<[string, unknown]>([
		['an object', VALUES],
		['an object', { mappingMode: 'defineBelow', value: [VALUES] }],
		['a list', [VALUES]],
		['text', JSON.stringify(VALUES)],
	])('%s such as %j', async (held, written) => {
		for (const [name, label, recipientsInput] of [
			['fieldValues', 'Field Values', 'json'],
			['people', 'Recipients', 'roles'],
		] as const) {
			const parameters = { ...parametersOf('tpl_1', {}), recipientsInput, [name]: written };
			const { error } = await bench.run('template', 'send', parameters as INodeParameters);
			expect(error?.message).toContain(`${label} is ${held}, not what its form holds`);
			expect(error?.description).toContain(`under ${name}.value`);
			expect(bench.takeRequests()).toEqual([]);
		}
	});
});
