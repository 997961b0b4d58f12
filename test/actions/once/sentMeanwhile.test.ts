import type { INodeParameters } from 'n8n-workflow';
import { startLateProxy, type LateProxy } from '../../../harness/lateProxy';
import { FaultyService, TYPE } from '../everyOperation/faultyService';
import { byId, DRAFT, RETRY, withContract } from '../support/workbench';
import { callsOf } from '../../transport/support/faults';

const ATTEMPTS = 2;

let service: FaultyService;
let proxy: LateProxy;
/** So many answers to POST send are lost; the first of these takes effect long after the call was given up. */
let toLose = 0;
let lost = 0;
/** The next POST send is refused, once so many were lost. */
let refuseAfter = Infinity;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: ATTEMPTS });
	proxy = await startLateProxy(
		() => service.sandbox.url,
		service.clock,
		(method, path) => {
			if (method === 'POST' && /\/documents\/[^/]+\/send$/.test(path) && lost === refuseAfter) {
				refuseAfter = Infinity;
				return { how: 402, afterMs: 4_000 };
			}
			if (method === 'POST' && /\/documents\/[^/]+\/send$/.test(path) && lost < toLose) {
				lost += 1;
				return { how: 502, afterMs: 10, ...(lost === 1 && { effectMs: 60_000 }) };
			}
			// The look that follows the last attempt finds a draft still. Before the next try of n8n it is sent.
			if (method === 'GET' && /\/documents\/[^/]+$/.test(path) && lost === ATTEMPTS) void service.clock.sleep(60_000);
			return undefined;
		},
	);
	service.n8n.credentials.use({ ...service.credential, baseUrl: `${proxy.url}/v1` });
});
beforeEach(async () => {
	await service.sandbox.control.reset();
	lost = 0;
	toLose = 0;
	refuseAfter = Infinity;
});
afterAll(async () => {
	await proxy.close();
	await service.close();
});

const create: INodeParameters = { resource: 'document', operation: 'createAndSend', ...DRAFT };

it('Retry On Fail succeeds with a document that was sent after the first try had ended', async () => {
	toLose = ATTEMPTS;
	const { error, items } = await service.run({ parameters: create, items: await withContract({}), settings: RETRY });
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({ status: 'in_progress', fields: [{ type: 'SIGNATURE' }] });
	await expect(service.direct.list('/documents')).resolves.toHaveLength(1);
	expect(await callsOf(service.sandbox, 'PUT /documents/{id}/fields')).toBe(1);
});

it.each([
	['Document > Create and Send', async () => create],
	[
		'Document > Send',
		async () => {
			const { items } = await service.run({
				parameters: { ...create, operation: 'create' },
				items: await withContract({}),
			});
			return { resource: 'document', operation: 'send', documentId: byId(items[0]?.json.id) };
		},
	],
])('%s succeeds when a send in doubt was refused at the next try, and is found sent at the third', async (_, given) => {
	const parameters: INodeParameters = await given();
	toLose = ATTEMPTS;
	refuseAfter = ATTEMPTS;
	const { error, items } = await service.run({ parameters, items: await withContract({}), settings: RETRY });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.status)).toEqual(['in_progress']);
	await expect(service.direct.list('/documents')).resolves.toHaveLength(1);
});

it('recipients that were corrected, and corrected back, go on with the draft that was made for them', async () => {
	const { control } = service.sandbox;
	const parameters: INodeParameters = {
		...create,
		recipients: { recipient: [{ name: '={{ $vars.name }}', email: 'ada@example.com', type: 'signer' }] },
	};
	const { variables } = service.n8n;
	const path = '/documents/*/send';
	await control.fault({ method: 'POST', path, when: 'before', kind: 'status', status: 403, times: 1 });
	variables.name = 'Ada';
	const first = await service.run({ parameters, items: await withContract({}) });
	expect(first.error).toBeDefined();
	variables.name = 'Ada Byron';
	const second = await service.n8n.retryNode(TYPE, first, { parameters });
	expect(second.error?.message).toMatch(/The draft doc_\w+ was created/);
	variables.name = 'Ada';
	const third = await service.n8n.retryNode(TYPE, second, { parameters });
	expect(third.error).toBeUndefined();
	await expect(service.direct.list('/documents')).resolves.toMatchObject([
		{ status: 'in_progress', recipients: [{ name: 'Ada' }] },
	]);
});
