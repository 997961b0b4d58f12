import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { ENDPOINTS, type Endpoint } from '../../../nodes/ESign/client';
import type { RetryPolicy } from '../../../nodes/ESign/service/endpoints';
import { NIGHTLY } from '../../../harness/nightly';
import { binary, type NodeRun } from '../../../harness/n8nCore/n8n';
import { callsOf, disturb, FAULT_NAMES, HARMLESS, shape, type FaultName } from '../../client/support/faults';
import { PNG } from '../../client/support/samples';
import { FaultyService } from './faultyService';
import { OPERATIONS } from '../support/operationOfEndpoint';
import { holdings, SCENARIOS } from './scenarios';

let service: FaultyService;

beforeAll(async () => {
	service = await FaultyService.open();
});
beforeEach(async () => await service.sandbox.control.reset());
afterAll(async () => await service.close());

/** What two items of an operation are about. */
type Scenario = () => Promise<INodeExecutionData[]>;

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

async function item(json: INodeExecutionData['json'] = {}): Promise<INodeExecutionData> {
	return { json, binary: { data: await binary(PNG, 'dot.png', 'image/png') } };
}

/** Two requests of an endpoint, made ready one after the other. */
function twice(endpoint: Endpoint): Scenario {
	const prepared = async () => await item(await SCENARIOS[endpoint](service.direct));
	return async () => [await prepared(), await prepared()];
}

/** Two documents from files, placed and sent: four endpoints, any of which may fail. */
const COMPOSITE: INodeParameters = {
	resource: 'document',
	operation: 'createAndSend',
	recipients: { recipient: [{ name: 'Ada', email: 'ada@example.com', type: 'signer', pin: '7788' }] },
	fieldsInput: 'automatic',
};

const twoDocuments: Scenario = async () => [await item(), await item()];

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

/** What comes out of an operation that meets a fault, and what the service holds afterwards. */
async function seenOf({ endpoint, parameters, scenario }: Row, fault?: FaultName) {
	const items = await scenario();
	if (fault) await disturb(service.sandbox, endpoint, fault);
	const output = outputOf(await service.run({ parameters, items }));
	const { documents, ...others } = await holdings(service.direct);
	if (endpoint !== 'POST /documents') return { output, documents, others };
	// A lost answer to POST /documents may leave a spare draft, which harms nobody.
	const wanted = documents.filter(({ status }) => parameters !== COMPOSITE || status !== 'draft');
	return { output, documents: new Set(wanted.map((one) => JSON.stringify(one))), others };
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

describe.each(rows)('%s', (_, row) => {
	let usual: unknown;

	it('has an effect and an output when nothing fails', async () => {
		usual = await seenOf(row);
	});

	it.each(row.faults)('has the same in spite of %s', async (fault) => {
		expect(await seenOf(row, fault)).toEqual(usual);
	});
});

describe('document: remind', () => {
	it.each(FAULT_NAMES.filter((name) => !HARMLESS.includes(name)))(
		'writes to nobody twice and says that the outcome is in doubt, after %s',
		async (fault) => {
			const items = await twice(REMIND)();
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
