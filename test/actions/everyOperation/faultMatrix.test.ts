import { NIGHTLY } from '../../../harness/nightly';
import type { NodeRun } from '../../../harness/n8nCore/n8n';
import { ENDPOINTS, type Endpoint } from '../../../nodes/ESign/client';
import type { RetryPolicy } from '../../../nodes/ESign/service/endpoints';
import { disturb, FAULT_NAMES, HARMLESS, shape, type FaultName } from '../../client/support/faults';
import { LossyService } from '../../sending/support/lossyService';
import { registered } from '../support/registered';
import { CASES, given } from './cases';

const service = LossyService.ofThisFile({});

/**
 * What follows a fault is decided by the policy of an endpoint: one operation of each meets them
 * all. At night every one does.
 */
const OF_POLICY: Record<RetryPolicy, string> = {
	again: 'document:createEmbedLink',
	againWhenCertain: 'templateLink:rotate',
	againUntilGone: 'templateLink:delete',
	againThenRead: 'document:cancel',
	lookFirst: 'template:send',
	never: 'document:remind',
};

/**
 * What is looked for differs, these answer with a list and with a file, or take several requests:
 * they meet a fault of each kind.
 */
const OTHERS = [
	...[
		'templateLink:create',
		'webhook:create',
		'document:create',
		'document:getAll',
		'document:download',
	],
	...['document:createAndSend', 'webhookDelivery:replayFailed'],
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

const endpointsOf = (name: string) =>
	registered.find((operation) => operation.name === name)?.endpoints ?? [];
const rows = names.flatMap((name) =>
	endpointsOf(name).map((endpoint) => [name, endpoint] as const),
);
const prepare = async (name: string) => await given(name, service.direct);

/** What comes out for the next node, without what is different every time. */
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
		documents: [...new Set(documents.map((one) => JSON.stringify(shape(one))))],
		links: shape(await service.direct.list(`/templates/${template}/links`)),
		webhooks: shape(await service.direct.endpoints()),
	};
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
