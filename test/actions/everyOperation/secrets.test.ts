import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy, type IDataObject, type INodeExecutionData, type INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';
import { ESign } from '../../../nodes/ESign/ESign.node';
import type { Endpoint } from '../../../nodes/ESign/client';
import { binary, N8n, type NodeRun } from '../../../harness/n8nCore/n8n';
import { PNG } from '../../client/support/samples';
import { json, startScripted, type ScriptedService } from '../../client/support/scriptedService';
import { FaultyService, TYPE } from './faultyService';
import { OPERATIONS } from '../support/operationOfEndpoint';

const KEY = 'sk_live_n3verToBeSeenAnywhere';
const SECRET = 'whsec_n3verToBeSeenAnywhere';
const PIN = 'n3ver-2be-seen';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

let log: unknown[][];
let service: FaultyService;

beforeAll(async () => {
	// Read when n8n's logger is first used; a level that is off could not be listened to.
	process.env.N8N_LOG_LEVEL = 'debug';
	service = await FaultyService.open({ attempts: 3 });
});
beforeEach(async () => {
	await service.sandbox.control.reset();
	log = [];
	const logger = Container.get(Logger);
	for (const level of LEVELS) jest.spyOn(logger, level).mockImplementation((...line: unknown[]) => void log.push(line));
	// As the server does at its start: what n8n-core logs goes the same way.
	LoggerProxy.init(logger);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

const asText = (value: unknown) =>
	inspect(value, { depth: Infinity, showHidden: true, getters: true, maxStringLength: null });

/**
 * All that a run has left behind: the log, errors with all their properties, outputs, hints, and the execution's data as
 * n8n saves it. Without the items that went in, which hold the pins that the workflow has given.
 */
function traces({ run, error, outputs, hints }: NodeRun): Record<string, string> {
	const { executionData, resultData } = run.data;
	const ownData = { ...resultData, runData: without(resultData.runData, 'Items') };
	const stack = (executionData?.nodeExecutionStack ?? []).map((waiting) => without(waiting, 'data'));
	const data = { ...run.data, resultData: ownData, executionData: { ...executionData, nodeExecutionStack: stack } };
	return {
		log: asText(log),
		error: asText(error),
		outputs: asText(outputs),
		hints: asText(hints),
		'execution data': asText({ ...run, data }),
		'execution data as JSON': JSON.stringify(data),
	};
}

function without(object: object, ...names: string[]): object {
	return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** In which of its traces a run has left which of the secrets. */
function leaks(run: NodeRun, ...secrets: string[]): string[] {
	return Object.entries(traces(run)).flatMap(([place, text]) =>
		secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in the ${place}`),
	);
}

/** Requests of every endpoint, as `operationOfEndpoint.ts` reads them from an item. */
const ITEM: IDataObject = {
	path: { id: 'id_1', linkId: 'lnk_1', recipientId: 'rcp_1', deliveryId: 'dlv_1', variant: 'original' },
	body: {
		files: ['file_1'],
		recipients: [{ name: 'Ada', email: 'ada@example.com', pin: PIN }],
		signers: [{ placeholder_id: 'ph_1', is_open: true }],
		embed: { expires_in: 600 },
		expires_in: 600,
		label: 'L',
		max_uses: 5,
		expires_at: '2030-01-01T00:00:00Z',
		url: 'https://127.0.0.1:9/x',
		events: ['document.sent'],
	},
};

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

const STATUSES = [400, 401, 402, 403, 404, 409, 413, 415, 429, 500, 302];

async function twoItems(): Promise<INodeExecutionData[]> {
	const data = await binary(PNG, 'dot.png', 'image/png');
	return [1, 2].map(() => ({ json: ITEM, binary: { data } }));
}

describe('A service that quotes all it was sent, and a signing secret, in its refusal', () => {
	let gossip: ScriptedService;
	let status = 400;
	let n8n: N8n;

	beforeAll(async () => {
		gossip = await startScripted(({ headers, body, url }, response) => {
			const quoted = `${String(headers.authorization)} ${SECRET} ${PIN} ${body} ${url}`;
			const details = [{ field: 'recipients.0.pin', message: quoted }];
			const error = {
				code: 'validation_error',
				message: quoted,
				details,
				known_roles: [quoted],
				pin: PIN,
				signing_secret: SECRET,
			};
			json(response, status, { error, headers }, { 'retry-after': '900' });
		}, KEY);
		n8n = new N8n({ [TYPE]: new ESign() }, gossip.credential);
	});
	afterAll(async () => await gossip.close());

	it.each(Object.entries(OPERATIONS) as Array<[Endpoint, INodeParameters]>)(
		'%s: neither is anywhere in what the node leaves behind',
		async (_, parameters) => {
			const items = await twoItems();
			const knowsPin = JSON.stringify(parameters).includes('recipients');
			for (const [index, answered] of STATUSES.entries()) {
				status = answered;
				const onError = ON_ERROR[index % ON_ERROR.length];
				const run = await n8n.runNode(TYPE, { parameters, items, settings: { onError } });
				expect(run.error !== undefined || JSON.stringify(run.outputs).includes('error')).toBe(true);
				const errors = run.outputs.flat().map(({ json: { error } }) => error);
				if (knowsPin) expect(asText(errors)).not.toContain(PIN);
				// A failed item holds its input item, with the workflow's own pin in it. In the error output that is n8n's doing.
				const isPinHandedOn = !knowsPin || onError !== 'stopWorkflow';
				const found = leaks(run, KEY, SECRET, ...(isPinHandedOn ? [] : [PIN]));
				expect({ status, onError, found }).toMatchObject({ found: [] });
			}
		},
	);
});

describe('The sandbox under faults', () => {
	it('leaves no key and no pin behind when a composite fails after its draft', async () => {
		const { control } = service.sandbox;
		await control.fault({ method: 'PUT', path: '/documents/*/fields', when: 'after', kind: 'drop', times: 9 });
		const parameters: INodeParameters = {
			resource: 'document',
			operation: 'createAndSend',
			recipientsInput: 'json',
			recipientsJson: '={{ $json.body.recipients }}',
			fieldsInput: 'automatic',
		};
		const items = await twoItems();
		const run = await service.run({
			parameters,
			items,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(run.error?.message).toMatch(/^The draft doc_\w+ was created, but placing its fields failed/);
		expect(leaks(run, service.credential.apiKey, PIN)).toEqual([]);
	});

	it('gives signing secrets to the output that they are for, and keeps them for a retry only', async () => {
		const parameters: INodeParameters = {
			resource: 'webhook',
			operation: 'create',
			url: '={{ $json.url }}',
			events: ['document.sent'],
		};
		const items = [1, 2, 3, 4, 5, 6].map((number) => ({ json: { url: `https://127.0.0.1:9/${number}` } }));
		const full = await service.run({ parameters, items, settings: { onError: 'continueRegularOutput' } });
		const secrets = full.items.flatMap(({ json: { signing_secret: secret } }) => (secret ? [String(secret)] : []));
		expect(secrets).toHaveLength(5);
		expect(leaks(full, service.credential.apiKey)).toEqual([]);
		for (const secret of secrets)
			expect(traces(full)).toMatchObject({ log: expect.not.stringContaining(secret) as string });
		expect(JSON.stringify(full.items[5])).not.toContain('whsec_');

		await service.sandbox.control.reset();
		log = [];
		const stopped = await service.run({ parameters, items });
		const [kept] = (JSON.stringify(stopped.run.data.executionData?.contextData).match(/whsec_\w+/g) ?? []) as string[];
		expect(kept).toBeDefined();
		expect(stopped.error?.message).toContain('no room for another webhook endpoint');
		for (const place of ['log', 'error', 'outputs', 'hints']) expect(traces(stopped)[place]).not.toContain('whsec_');
		expect(asText(stopped.run.data.resultData)).not.toContain('whsec_');
	});
});
