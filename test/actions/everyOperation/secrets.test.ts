import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy, type INodeParameters } from 'n8n-workflow';
import { inspect } from 'node:util';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { N8n, type NodeRun } from '../../support/n8nCore/n8n';
import { json, startScripted, type ScriptedService } from '../../client/support/scriptedService';
import { LossyService } from '../../sending/support/lossyService';
import { TYPE } from '../support/workbench';
import { CASES, given, PIN } from './cases';

const KEY = 'sk_live_n3verToBeSeenAnywhere';
const SECRET = 'whsec_n3verToBeSeenAnywhere';
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
let log: unknown[][];
const service = LossyService.ofThisFile({ attempts: 3 });

beforeAll(() => {
	// Read when n8n's logger is first used; a level that is off could not be listened to.
	process.env.N8N_LOG_LEVEL = 'debug';
});
beforeEach(() => {
	log = [];
	const logger = Container.get(Logger);
	for (const level of LEVELS)
		jest.spyOn(logger, level).mockImplementation((...line: unknown[]) => void log.push(line));
	// As the server does at its start: what n8n-core logs goes the same way.
	LoggerProxy.init(logger);
});
afterEach(() => jest.restoreAllMocks());

const asText = (value: unknown) =>
	inspect(value, { depth: Infinity, showHidden: true, getters: true, maxStringLength: null });

/**
 * All that a run has left behind: the log, errors with all their properties, outputs, hints, and
 * the execution's data as n8n saves it. Without the items that went in, which hold the pins that
 * the workflow has given.
 */
function traces({ run, error, outputs, hints }: NodeRun): Record<string, string> {
	const { executionData, resultData } = run.data;
	const ownData = { ...resultData, runData: without(resultData.runData, 'Items') };
	const stack = (executionData?.nodeExecutionStack ?? []).map((waiting) =>
		without(waiting, 'data'),
	);
	const data = {
		...run.data,
		resultData: ownData,
		executionData: { ...executionData, nodeExecutionStack: stack },
	};
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

const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;
const STATUSES = [400, 401, 402, 403, 404, 409, 413, 415, 429, 500, 502, 302];

describe('A service that quotes all it was sent, and a signing secret, in its refusal', () => {
	let gossip: ScriptedService;
	let status = 400;
	let hasPin: boolean;
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
			// The draft is asked for with the pin, and not before its file is there.
			if (url === '/v1/files' && hasPin) json(response, 201, { id: 'file_1' });
			// Something before the service answers with a page of its own.
			else
				json(response, status, status === 502 ? quoted : { error, headers }, {
					'retry-after': '900',
				});
		}, KEY);
		n8n = new N8n({ [TYPE]: new ESign() }, gossip.credential);
	});
	afterAll(async () => await gossip.close());

	it.each(Object.keys(CASES))(
		'%s: neither is anywhere in what the node leaves behind',
		async (name) => {
			const { parameters, items } = await given(name, service.direct);
			hasPin = items[0]?.json.pin === PIN;
			for (const [index, answered] of STATUSES.entries()) {
				status = answered;
				const onError = ON_ERROR[index % ON_ERROR.length];
				const run = await n8n.runNode(TYPE, { parameters, items, settings: { onError } });
				expect(run.error !== undefined || JSON.stringify(run.outputs).includes('error')).toBe(true);
				const errors = run.outputs.flat().map(({ json: { error } }) => error);
				if (hasPin) expect(asText(errors)).not.toContain(PIN);
				// A failed item holds its input item, with the workflow's own pin in it. In the error output
				// that is n8n's doing.
				const isPinHandedOn = !hasPin || onError !== 'stopWorkflow';
				const found = leaks(run, KEY, SECRET, ...(isPinHandedOn ? [] : [PIN]));
				expect({ status, onError, found }).toMatchObject({ found: [] });
			}
		},
	);
});

describe('The sandbox under faults', () => {
	it('leaves no key and no pin behind when a composite fails after its draft', async () => {
		const { control } = service.sandbox;
		await control.fault({
			method: 'PUT',
			path: '/documents/*/fields',
			when: 'after',
			kind: 'drop',
			times: 9,
		});
		const name = 'document:createAndSend';
		const { parameters, items } = await given(name, service.direct);
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
		const run = await service.run(parameters, items, settings);
		expect(run.error?.message).toMatch(
			/^The draft doc_\w+ was created, but placing its fields failed/,
		);
		expect(leaks(run, service.credential.apiKey, PIN)).toEqual([]);
	});

	it('gives signing secrets to the output that they are for, and keeps them for a retry only', async () => {
		const parameters: INodeParameters = {
			resource: 'webhook',
			operation: 'create',
			url: '={{ $json.url }}',
			events: ['document.sent'],
		};
		const items = [1, 2, 3, 4, 5, 6].map((number) => ({
			json: { url: `https://127.0.0.1:9/${number}` },
		}));
		const full = await service.run(parameters, items, { onError: 'continueRegularOutput' });
		const secrets = full.items.flatMap(({ json: { signing_secret: secret } }) =>
			secret ? [String(secret)] : [],
		);
		expect(secrets).toHaveLength(5);
		expect(leaks(full, service.credential.apiKey)).toEqual([]);
		for (const secret of secrets)
			expect(traces(full)).toMatchObject({ log: expect.not.stringContaining(secret) as string });
		expect(JSON.stringify(full.items[5])).not.toContain('whsec_');

		await service.sandbox.control.reset();
		log = [];
		const stopped = await service.run(parameters, items);
		const [kept] = (JSON.stringify(stopped.run.data.executionData?.contextData).match(
			/whsec_\w+/g,
		) ?? []) as string[];
		expect(kept).toBeDefined();
		expect(stopped.error?.message).toContain('no room for another webhook endpoint');
		for (const place of ['log', 'error', 'outputs', 'hints'])
			expect(traces(stopped)[place]).not.toContain('whsec_');
		expect(asText(stopped.run.data.resultData)).not.toContain('whsec_');
	});
});
