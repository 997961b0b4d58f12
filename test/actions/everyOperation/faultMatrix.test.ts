import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { ENDPOINTS, type Endpoint } from '../../../nodes/ESign/client';
import type { RetryPolicy } from '../../../nodes/ESign/service/endpoints';
import { NIGHTLY } from '../../../harness/nightly';
import { binary, type NodeRun } from '../../../harness/n8nCore/n8n';
import { callsOf, disturb, FAULT_NAMES, HARMLESS, shape, type FaultName } from '../../client/support/faults';
import { PNG, SCENARIOS, type Prepared } from '../../client/support/scenarios';
import { FaultyService } from './faultyService';
import { OPERATIONS } from '../support/operationOfEndpoint';

let service: FaultyService;

beforeAll(async () => {
	service = await FaultyService.open();
});
beforeEach(async () => await service.sandbox.control.reset());
afterAll(async () => await service.close());

/** What two items of an operation are about, and how their effect is seen. */
type Scenario = () => Promise<{ items: INodeExecutionData[]; effect: () => Promise<unknown> }>;

/** One row of the matrix: an operation, that of its endpoints which is disturbed, and by what. */
type Row = { endpoint: Endpoint; parameters: INodeParameters; scenario: Scenario; faults: readonly FaultName[] };

/** What follows a fault is decided by the policy of an endpoint: one endpoint of each meets them all. At night every one does. */
const OF_POLICY: Record<RetryPolicy, Endpoint> = {
	again: 'POST /documents/{id}/recipients/{recipientId}/embed-link',
	againWhenCertain: 'POST /template-links/{linkId}/rotate',
	againUntilGone: 'DELETE /template-links/{linkId}',
	againThenRead: 'POST /documents/{id}/cancel',
	lookFirst: 'POST /templates/{id}/send',
	never: 'POST /documents/{id}/remind',
};

/** What is looked for differs with each endpoint, and these answer with a list and with a file: they meet a fault of each kind. */
const OTHERS: readonly Endpoint[] = [
	...(['POST /documents', 'POST /templates/{id}/links', 'POST /webhooks'] as const),
	...(['GET /documents', 'GET /documents/{id}/files/{variant}'] as const),
];

const OF_EACH_KIND: readonly FaultName[] = NIGHTLY
	? FAULT_NAMES
	: ['500 before its effect', '502 after its effect', 'a connection dropped after its effect'];

async function item({ path, body }: Prepared['request'] = {}): Promise<INodeExecutionData> {
	const json = { ...(path && { path }), ...(body && { body }) } as IDataObject;
	return { json, binary: { data: await binary(PNG, 'dot.png', 'image/png') } };
}

/** Two requests of an endpoint, made ready one after the other. */
function twice(endpoint: Endpoint): Scenario {
	return async () => {
		const prepare = async () => await SCENARIOS[endpoint](service.direct, service.sandbox);
		const [first, second] = [await prepare(), await prepare()];
		return {
			items: [await item(first.request), await item(second.request)],
			effect: async () => [await first.effect(), await second.effect()],
		};
	};
}

/** Two documents from files, placed and sent: four endpoints, any of which may fail. */
const COMPOSITE: INodeParameters = {
	resource: 'document',
	operation: 'createAndSend',
	recipients: { recipient: [{ name: 'Ada', email: 'ada@example.com', type: 'signer', pin: '7788' }] },
	fieldsInput: 'automatic',
};

const twoDocuments: Scenario = async () => ({
	items: [await item(), await item()],
	effect: async () => (await service.direct.list('/documents')).map(({ title, status }) => [title, status]),
});

const REPLAY_FAILED: INodeParameters = {
	resource: 'webhookDelivery',
	operation: 'replayFailed',
	webhookId: { __rl: true, mode: 'id', value: '={{ $json.path.id }}' },
};

const ofPolicy: readonly Endpoint[] = Object.values(OF_POLICY);
const endpoints = NIGHTLY ? (Object.keys(ENDPOINTS) as Endpoint[]) : [...ofPolicy, ...OTHERS];

function faultsOf(endpoint: Endpoint): readonly FaultName[] {
	if (endpoint === OF_POLICY.never) return HARMLESS;
	return ofPolicy.includes(endpoint) ? FAULT_NAMES : OF_EACH_KIND;
}

const rows: Array<[string, Row]> = [
	...endpoints.map((endpoint): [string, Row] => {
		const parameters = OPERATIONS[endpoint];
		const name = `${String(parameters.resource)}: ${String(parameters.operation)}, ${endpoint}`;
		return [name, { endpoint, parameters, scenario: twice(endpoint), faults: faultsOf(endpoint) }];
	}),
	...(['POST /files', 'POST /documents', 'PUT /documents/{id}/fields', 'POST /documents/{id}/send'] as const).map(
		(endpoint): [string, Row] => [
			`document: create, placed and sent, ${endpoint}`,
			{ endpoint, parameters: COMPOSITE, scenario: twoDocuments, faults: OF_EACH_KIND },
		],
	),
	...(['GET /webhooks/{id}/deliveries', 'POST /webhooks/{id}/deliveries/{deliveryId}/replay'] as const).map(
		(endpoint): [string, Row] => [
			`webhookDelivery: replayFailed, ${endpoint}`,
			{
				endpoint,
				parameters: REPLAY_FAILED,
				scenario: twice('POST /webhooks/{id}/deliveries/{deliveryId}/replay'),
				faults: OF_EACH_KIND,
			},
		],
	),
];

async function runRow(
	{ endpoint, parameters }: Pick<Row, 'endpoint' | 'parameters'>,
	items: INodeExecutionData[],
	fault?: FaultName,
): Promise<NodeRun> {
	if (fault) await disturb(service.sandbox, endpoint, fault);
	return await service.run({ parameters, items });
}

/** What comes out for the next node, without what is different every time. */
function outputOf({ items, error }: NodeRun): unknown {
	if (error) throw error;
	const files = items.map(
		(one) => one.binary && Object.entries(one.binary).map(([name, { mimeType }]) => [name, mimeType]),
	);
	return shape({ items: items.map(({ json, pairedItem }) => ({ json, pairedItem })), files });
}

const REMIND = OF_POLICY.never;

it.each(Object.entries(OF_POLICY))('%s is the policy of %s', (policy, endpoint) => {
	expect(ENDPOINTS[endpoint].retry).toBe(policy);
});

/** A lost answer to POST /documents may leave a spare draft, which harms nobody. */
function withoutSpares<Seen extends { effect: unknown }>({ endpoint, parameters }: Row, seen: Seen): Seen {
	if (endpoint !== 'POST /documents') return seen;
	const isDraft = (state: unknown) => JSON.stringify(state).includes('"draft"');
	const documents = (seen.effect as unknown[]).filter((one) => parameters !== COMPOSITE || !isDraft(one));
	return { ...seen, effect: [...new Set(documents.map((one) => JSON.stringify(distinct(one))))] };
}

function distinct(one: unknown): unknown {
	return Array.isArray(one) ? [...new Set(one.map((part) => JSON.stringify(part)))] : one;
}

describe.each(rows)('%s', (_, row) => {
	let usual: { output: unknown; effect: unknown };

	it('has an effect and an output when nothing fails', async () => {
		const { items, effect } = await row.scenario();
		usual = { output: outputOf(await runRow(row, items)), effect: shape(await effect()) };
	});

	it.each(row.faults)('has the same in spite of %s', async (fault) => {
		const { items, effect } = await row.scenario();
		const run = await runRow(row, items, fault);
		const seen = { output: outputOf(run), effect: shape(await effect()) };
		expect(withoutSpares(row, seen)).toEqual(withoutSpares(row, usual));
	});
});

describe('document: remind', () => {
	it.each(FAULT_NAMES.filter((name) => !HARMLESS.includes(name)))(
		'writes to nobody twice and says that the outcome is in doubt, after %s',
		async (fault) => {
			const { items } = await twice(REMIND)();
			const settings = { onError: 'continueRegularOutput' as const };
			await disturb(service.sandbox, REMIND, fault);
			const run = await service.run({ parameters: OPERATIONS[REMIND], items, settings });
			expect(run.items.map(({ json }) => json)).toEqual([
				expect.objectContaining({
					error: expect.stringContaining('Could not send the reminder') as string,
					description: expect.stringContaining('may or may not have gone out') as string,
				}),
				expect.objectContaining({ reminded: 2 }),
			]);
			expect(await callsOf(service.sandbox, REMIND)).toBe(2);
		},
	);
});
