import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { methods } from '../../../nodes/ESign/methods';
import { bench, openBench, templateIds } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

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
	const [{ body } = {}] = bench.takeRequests();
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

	it('read the template once in a loop, and again in the next execution', async () => {
		const { nda } = await templateIds();
		for (const execution of ['loop-1', 'loop-1', 'loop-2']) {
			await run(byExpression, [], [item({ template: nda, client_company: execution })], execution);
		}
		expect(sends().map(([method, , values]) => values ?? method)).toEqual([
			'GET',
			{ client_company: 'loop-1' },
			{ client_company: 'loop-1' },
			'GET',
			{ client_company: 'loop-2' },
		]);
	});

	it('cost no request of their own when the editor knew the template', async () => {
		const { nda } = await templateIds();
		await run(byId(nda), schemaOf(nda, 'client_company'), [
			item({ client_company: 'Example Ltd' }),
		]);
		expect(sends()).toEqual([
			['POST', `/templates/${nda}/send`, { client_company: 'Example Ltd' }],
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
			/^Field Values > position: the template that is chosen now has no such field/,
		);
		expect(lost.methods).toEqual(['GET']);
		const kept = await fill({ position: '', client_company: 'Example Ltd' });
		expect(kept).toEqual({ error: undefined, methods: ['GET', 'POST'] });
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

	it('names the fields that the editor does not know, whose values the service would ignore in silence', async () => {
		const isUnknown: unknown = expect.stringMatching(/does not know .*: renamed$/);
		expect(await hintsOn({ a_text: 'x', renamed: 'y' })).toEqual([isUnknown, IS_DRAFT]);
	});
});
