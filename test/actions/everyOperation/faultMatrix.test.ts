import { NIGHTLY } from '../../support/nightly';
import type { NodeRun } from '../../support/n8nCore/n8n';
import { ENDPOINTS, type Endpoint } from '../../../nodes/ESign/client';
import type { RetryPolicy } from '../../../nodes/ESign/service/endpoints';
import { disturb, FAULT_NAMES, HARMLESS, shape, type FaultName } from '../../client/support/faults';
import { LossyService } from '../../sending/support/lossyService';
import { registered } from '../support/registered';
import { CASES, caseOf, given } from './cases';

const service = LossyService.ofThisFile({});

/**
 * What follows a fault is decided by the policy of an endpoint: one operation of each meets them
 * all. At night every one does.
 */
const OF_POLICY: Record<RetryPolicy, string> = {
	again: 'document:createEmbedLink',
	lastCounts: 'templateLink:rotate',
	untilGone: 'templateLink:delete',
	untilState: 'document:cancel',
	never: 'document:remind',
};

/**
 * These leave a spare, answer with a list or with a file, look for what was lost, or take several
 * requests: they meet a fault of each kind.
 */
const OTHERS = [
	'template:send',
	'templateLink:create',
	'webhook:create',
	'document:create',
	'document:getAll',
	'document:download',
	'document:createAndSend',
	'webhookDelivery:replayFailed',
];

const OF_EACH_KIND: readonly FaultName[] = NIGHTLY
	? FAULT_NAMES
	: ['500 before its effect', '502 after its effect', 'a connection dropped after its effect'];

const ofPolicy = Object.values(OF_POLICY);
const names = NIGHTLY
	? Object.keys(CASES).filter((name) => name !== 'document:wait')
	: [...ofPolicy, ...OTHERS];

function faultsOf(name: string): readonly FaultName[] {
	if (name === OF_POLICY.never) return HARMLESS;
	return ofPolicy.includes(name) ? FAULT_NAMES : OF_EACH_KIND;
}

/** Those that are called where nothing fails. */
function endpointsOf(name: string): readonly Endpoint[] {
	const { endpoints = [] } = registered.find((operation) => operation.name === name) ?? {};
	const { afterLoss = [] } = caseOf(name);
	return endpoints.filter((endpoint) => !afterLoss.includes(endpoint));
}

const rows = names.flatMap((name) =>
	endpointsOf(name).map((endpoint) => [name, endpoint] as const),
);
const prepare = async (name: string) => await given(name, service.direct);

/** What is output for the next node, without what is different every time. */
function outputOf({ items, error }: NodeRun): unknown {
	if (error) throw error;
	const files = items.map(
		(one) =>
			one.binary && Object.entries(one.binary).map(([name, { mimeType }]) => [name, mimeType]),
	);
	const shown = items.map(({ json: { size_bytes: size, ...json }, pairedItem }) => ({
		json,
		size: typeof size,
		pairedItem,
	}));
	return shape({ items: shown, files });
}

/** What the service holds, read back plainly. */
async function effect(name: string): Promise<unknown> {
	const all = (await service.direct.documents()).map(({ title, status, recipients }) => ({
		title,
		status,
		recipients,
	}));
	// A lost answer to POST /documents may leave a spare draft, which harms nobody.
	const documents = all.filter(
		({ status }) => status !== 'draft' || name !== 'document:createAndSend',
	);
	const template = await service.direct.template('Mutual NDA');
	return {
		documents: kindsOf(documents),
		links: kindsOf(await service.direct.list(`/templates/${template}/links`)),
		webhooks: kindsOf(await service.direct.endpoints()),
	};
}

/** Without the spare one that a lost answer may leave. */
function kindsOf(all: object[]): string[] {
	return [...new Set(all.map((one) => JSON.stringify(shape(one))))];
}

it.each(Object.entries(OF_POLICY))('%s is the policy of %s', (policy, name) => {
	expect(endpointsOf(name).map((endpoint) => ENDPOINTS[endpoint].retry)[0]).toBe(policy);
});

describe.each(rows)('%s, %s', (name, endpoint: Endpoint) => {
	let usual: { output: unknown; effect: unknown };

	it('has an effect and an output when nothing fails', async () => {
		const { parameters, items } = await prepare(name);
		usual = { output: outputOf(await service.run(parameters, items)), effect: await effect(name) };
	});

	it.each(faultsOf(name))('has the same in spite of %s', async (fault) => {
		const { parameters, items } = await prepare(name);
		await disturb(service.sandbox, endpoint, fault);
		const run = await service.run(parameters, items);
		expect({ output: outputOf(run), effect: await effect(name) }).toEqual(usual);
	});
});
