import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { ESignTrigger } from '../../../nodes/ESign/ESignTrigger.node';
import { ENDPOINTS, type Endpoint } from '../../../nodes/ESign/client';
import { bench, openBench } from '../support/operationRun';
import { registered } from '../support/registered';
import { schemaOf, type OutputSchema } from '../support/schemaOf';
import type { Recorded } from '../support/serviceRecord';
import { WaitingN8n } from '../support/waitingN8n';
import { byId } from '../support/workbench';
import { caseOf, filled, given } from './cases';

/**
 * The fields that the editor offers to drag before a node has run once (`__schema__`, which n8n
 * reads beside the installed node): what real outputs have. `npx jest
 * test/actions/everyOperation/operations.test.ts -u` writes them.
 */
const FOLDER = join(__dirname, '../../../nodes/ESign/__schema__');

openBench();

const padded = (version: unknown) =>
	String(version).split('.').concat('0', '0').slice(0, 3).join('.');
const version = `v${padded(new ESign().description.version)}`;
const triggerVersion = `v${padded([new ESignTrigger().description.version].flat().at(-1))}`;
const file = (name: string) => join(FOLDER, `${name}.json`);
const mayWrite = () =>
	(expect.getState().snapshotState as unknown as { _updateSnapshot: string })._updateSnapshot ===
	'all';

function compareSample(name: string, outputs: IDataObject[]): void {
	const schema: OutputSchema = { ...schemaOf(outputs), version: 1 };
	if (mayWrite()) {
		mkdirSync(dirname(file(name)), { recursive: true });
		writeFileSync(file(name), `${JSON.stringify(schema, undefined, 2)}\n`);
	}
	expect(
		existsSync(file(name)) ? JSON.parse(readFileSync(file(name), 'utf8')) : 'no sample',
	).toEqual(schema);
}

/** The endpoint that a request has reached. */
const endpointOf = ({ method, path }: Recorded) =>
	(Object.keys(ENDPOINTS) as Endpoint[]).find((endpoint) =>
		new RegExp(`^${endpoint.replace(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path}`),
	);

function asCall({ method, path, query }: Recorded): string {
	const asked = new URLSearchParams(query).toString();
	return `${method} ${path}${asked && `?${asked}`}`;
}

async function run(parameters: INodeParameters, items: INodeExecutionData[]) {
	const { resource, operation } = parameters;
	const { items: output, error } = await bench.run(
		String(resource),
		String(operation),
		parameters,
		{ items },
	);
	expect(error).toBeUndefined();
	return { output, requests: bench.takeRequests() };
}

describe.each(registered.filter(({ name }) => name !== 'document:wait'))(
	'$name',
	({ name, endpoints, description }) => {
		const one = caseOf(name);

		it('takes the requests of its case for each item, and nothing but what is named, and puts out what is paired', async () => {
			const { parameters, items } = await given(name, bench.direct);
			const { output, requests } = await run(parameters, items);
			const made = items.map(({ json }, index) => ({
				json,
				outputs: [one.output(json)].flat(),
				first:
					output.find(({ pairedItem }) => (pairedItem as { item: number }).item === index)?.json ??
					{},
			}));
			expect(output).toMatchObject(
				made.flatMap(({ outputs }, item) =>
					outputs.map((json: object) => ({ json, pairedItem: { item } })),
				),
			);
			const once = (one.once ?? []).map((call) => filled(call, items[0]?.json ?? {}));
			const each = made.flatMap(({ json, first }) =>
				one.calls.map((call) => filled(call, json, first)),
			);
			expect(requests.map(asCall)).toEqual([...once, ...each]);
			const bodies = requests
				.filter(({ contentType }) => contentType?.includes('json'))
				.map(({ body }) => body);
			expect(bodies).toEqual(made.flatMap(({ json, first }) => one.bodies?.(json, first) ?? []));
			const called = [...requests.map(endpointOf), ...(one.afterLoss ?? [])];
			expect(new Set(called)).toEqual(new Set(endpoints));
		});

		it('has in the editor before its first run the fields of a real output', async () => {
			const { parameters, items } = await given(name, bench.direct);
			// The second of two equal items is returned as one that is there already.
			const mayExist = JSON.stringify(description).includes('skipIfCreatedWithin');
			const skipIfCreated = {
				additionalFields: { ...(parameters.additionalFields as object), skipIfCreatedWithin: 24 },
			};
			const { output } = mayExist
				? await run(
						{ ...parameters, ...skipIfCreated },
						items.flatMap((item) => [item, item]),
					)
				: await run(parameters, items);
			compareSample(
				`${version}/${name.replace(':', '/')}`,
				output.map(({ json }) => json),
			);
		});
	},
);

describe('The fields that the editor shows before the first run are those of a real output', () => {
	it('of Wait for Completion', async () => {
		const { direct: service, sandbox } = bench;
		const n8n = await WaitingN8n.start({ baseUrl: sandbox.url, apiKey: sandbox.keys.test });
		await n8n.publish();
		const { id } = await service.complete('Contract', ['ada@example.com']);
		const { run: waited } = await n8n.wait({ documentId: byId(id) });
		await n8n.end();
		compareSample(
			`${version}/document/wait`,
			waited.items.map(({ json }) => json),
		);
	});

	it('of the trigger', async () => {
		const { direct: service, sandbox } = bench;
		const events = [
			'document.sent',
			'document.completed',
			'document.declined',
			'recipient.viewed',
			'recipient.signed',
		];
		const { id } = await service.addEndpoint('http://127.0.0.1:9/events', events);
		await service.complete('Contract', ['ada@example.com']);
		const { recipients } = await service.send('Contract', ['ada@example.com']);
		await sandbox.control.decline(String(recipients[0]?.id));
		await sandbox.control.advance(60);
		compareSample(
			triggerVersion,
			(await service.deliveries(id)).map(({ payload }) => payload as IDataObject),
		);
	});

	it('and there are no others', () => {
		const kept = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
			path.endsWith('.json'),
		);
		const expected = [
			...registered.map(({ name }) => `${version}/${name.replace(':', '/')}.json`),
			`${triggerVersion}.json`,
		];
		if (mayWrite())
			for (const path of kept) if (!expected.includes(path)) rmSync(join(FOLDER, path));
		expect(kept.sort()).toEqual(expected.sort());
	});
});
