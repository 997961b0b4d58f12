import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { ESignTrigger } from '../../../nodes/ESign/ESignTrigger.node';
import { ENDPOINTS, type Endpoint } from '../../../nodes/ESign/client';
import { registered } from '../support/operationOfEndpoint';
import type { Recorded } from '../support/serviceRecord';
import {
	bench,
	deliveries,
	documents,
	fromItem,
	links,
	NDA_PEOPLE,
	openBench,
	SIGNERS,
	templateIds,
	webhooks,
} from '../support/operationRun';
import { byId, withContract } from '../support/workbench';
import { WaitingN8n } from '../support/waitingN8n';
import { schemaOf, type OutputSchema } from '../support/schemaOf';

/**
 * The fields that the editor offers to drag before a node has run once (`__schema__`, which n8n reads beside the
 * installed node): what real outputs have. `npx jest test/actions/everyOperation/sampleOutputs.test.ts -u` writes them.
 */
const FOLDER = join(__dirname, '../../../nodes/ESign/__schema__');

openBench();

/** Runs the operation with these parameters, once for each set, and resolves with all that came out. */
type Run = (...runs: Array<[INodeParameters, INodeExecutionData[]?]>) => Promise<IDataObject[]>;

const item = (json: object): INodeExecutionData[] => [{ json: json as IDataObject }];
/** The second of two equal items comes out as one that is there already. */
const AGAIN = { additionalFields: { skipIfCreatedWithin: 24 } };
const one = <T>([first]: T[]) => first as T;
const document = { documentId: fromItem('documentId') };

async function createTwice(run: Run): Promise<IDataObject[]> {
	const given = { recipients: { recipient: SIGNERS }, fieldsInput: 'automatic', automatic: { page: 'last' } };
	return await run([{ ...given, ...AGAIN }, [...(await withContract({})), ...(await withContract({}))]]);
}

/** Something that is there for a locator to name: a document in progress, and what belongs to it. */
const THERE: Record<string, () => Promise<string>> = {
	documentId: async () => one(await documents(true)).documentId,
	templateId: async () => (await templateIds()).nda,
	templateLinkId: async () => one(await links()),
	webhookId: async () => one(await webhooks()),
};

/** Runs an operation on what its locators can name, with every other parameter as it is at first. */
async function asItIs(run: Run, name: string): Promise<IDataObject[]> {
	const given: INodeParameters = {};
	const { description = [] } = registered.find((operation) => operation.name === name) ?? {};
	for (const { property } of description) {
		const id = property.required && property.type === 'resourceLocator' && (await THERE[property.name]?.());
		if (id) given[property.name] = byId(id);
	}
	if (description.length === 0 || Object.keys(given).length === 0) await documents(true);
	return await run([given, await withContract({})]);
}

/** How an operation is run so that its output has every field it can have, where it takes more than that. */
const RUNS: Record<string, (run: Run) => Promise<IDataObject[]>> = {
	'document:create': createTwice,
	'document:createAndSend': createTwice,
	'document:send': async (run) => await run([document, item(one(await documents(false)))]),
	'document:updateRecipients': async (run) =>
		await run([{ ...document, recipients: { recipient: SIGNERS } }, item(one(await documents(false)))]),
	'document:updateFields': async (run) =>
		await run([{ ...document, fieldsInput: 'automatic' }, item(one(await documents(false)))]),
	'document:download': async (run) =>
		await run([{ ...document, variants: ['original'] }, item(one(await documents(true)))]),
	'document:createEmbedLink': async (run) =>
		await run([{ ...document, recipientId: fromItem('recipientId') }, item(one(await documents(true)))]),
	'document:wait': async () => {
		const n8n = await WaitingN8n.start({ baseUrl: bench.sandbox.url, apiKey: bench.sandbox.keys.test });
		await n8n.publish();
		const { documentId, recipientId } = one(await documents(true));
		await bench.sandbox.control.sign(recipientId);
		const { run } = await n8n.wait({ documentId: byId(documentId) });
		await n8n.end();
		return run.items.map(({ json }) => json);
	},
	'template:send': async (run) => {
		const given = { templateId: byId((await templateIds()).nda), ...NDA_PEOPLE, embed: true };
		return await run([{ ...given, ...AGAIN }, [{ json: {} }, { json: {} }]]);
	},
	'templateLink:create': async (run) => {
		const { nda } = await templateIds();
		const [template] = await bench.prepare('template', 'get', { templateId: byId(nda) });
		const [open, fixed] = template?.roles as Array<{ id: string }>;
		const signers = [
			{ placeholderId: open?.id, isOpen: true },
			{ placeholderId: fixed?.id, isOpen: false, ...SIGNERS[0] },
		];
		const given = { templateId: byId(nda), signersInput: 'json', signersJson: JSON.stringify(signers) };
		return await run([{ ...given, additionalFields: EVERY_LINK_OPTION }]);
	},
	'templateLink:getAll': async (run) => {
		await links();
		return await run([{ templateId: byId((await templateIds()).nda) }]);
	},
	'webhook:create': async (run) => await run([{ url: 'https://example.com/events', events: ['document.sent'] }]),
	'webhook:getAll': async (run) => {
		await webhooks();
		return await run([{}]);
	},
	'webhookDelivery:getAll': async (run) => await run([{ webhookId: byId(one(await deliveries()).webhook) }]),
	'webhookDelivery:replay': async (run) => {
		const { webhook, delivery } = one(await deliveries());
		return await run([{ webhookId: byId(webhook), deliveryId: byId(delivery) }]);
	},
	'webhookDelivery:replayFailed': async (run) => await run([{ webhookId: byId(one(await deliveries()).webhook) }]),
};

const EVERY_LINK_OPTION = {
	label: 'Website',
	headline: 'Sign here',
	message: 'Thank you',
	redirectUrl: 'https://example.com/thanks',
	expiresAt: '2030-01-31T18:00:00Z',
	maxUses: 3,
};

/** What every event holds, as the service's own log keeps it. */
async function payloads(): Promise<IDataObject[]> {
	const url = 'http://127.0.0.1:9/events';
	const events = ['document.sent', 'document.completed', 'document.declined', 'recipient.viewed', 'recipient.signed'];
	const [webhook] = await bench.prepare('webhook', 'create', { url, events });
	const [first, second] = await documents(true);
	await bench.sandbox.control.sign(String(first?.recipientId));
	await bench.sandbox.control.decline(String(second?.recipientId));
	await bench.sandbox.control.advance(60);
	const given = { webhookId: byId(webhook?.id), limit: 100, simplify: false };
	const log = await bench.prepare('webhookDelivery', 'getAll', given);
	return log.map((entry) => ((entry.payload ?? (entry.delivery as IDataObject).payload) as IDataObject) ?? {});
}

const padded = (version: unknown) => String(version).split('.').concat('0', '0').slice(0, 3).join('.');
const file = (name: string) => join(FOLDER, `${name}.json`);
const mayWrite = () =>
	(expect.getState().snapshotState as unknown as { _updateSnapshot: string })._updateSnapshot === 'all';

function compare(name: string, outputs: IDataObject[]): void {
	const schema: OutputSchema = { ...schemaOf(outputs), version: 1 };
	if (mayWrite()) {
		mkdirSync(dirname(file(name)), { recursive: true });
		writeFileSync(file(name), `${JSON.stringify(schema, undefined, 2)}\n`);
	}
	expect(existsSync(file(name)) ? JSON.parse(readFileSync(file(name), 'utf8')) : 'no sample').toEqual(schema);
}

const version = `v${padded(new ESign().description.version)}`;
const triggerVersion = `v${padded([new ESignTrigger().description.version].flat().at(-1))}`;
/** The endpoint that a request has reached. */
const endpointOf = ({ method, path }: Recorded) =>
	(Object.keys(ENDPOINTS) as Endpoint[]).find((endpoint) => {
		const pattern = endpoint.replace(/[?.]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
		return new RegExp(`^${pattern}$`).test(`${method} ${path}`);
	});

describe('The fields that the editor shows before the first run are those of a real output, which takes the endpoints named', () => {
	it.each(registered)('$name', async ({ name, resource, operation, endpoints }) => {
		let requests: Recorded[] = [];
		const run: Run = async (...runs) => {
			bench.takeRequests();
			const all: IDataObject[] = [];
			for (const [parameters, items] of runs) {
				const { items: output, error } = await bench.run(resource, operation, parameters, { items });
				expect(error).toBeUndefined();
				all.push(...output.map(({ json }) => json));
			}
			requests = bench.takeRequests();
			return all;
		};
		const outputs = (await RUNS[name]?.(run)) ?? (await asItIs(run, name));
		expect(outputs).not.toHaveLength(0);
		compare(`${version}/${name.replace(':', '/')}`, outputs);
		// What reads beside that looks for what is there already. Wait for Completion runs in an n8n of its own.
		const changing = requests.filter(({ method }) => method !== 'GET').map(endpointOf);
		expect(endpoints).toEqual(expect.arrayContaining(changing));
		if (name !== 'document:wait') expect(requests.map(endpointOf)).toEqual(expect.arrayContaining(endpoints));
	});

	it('the trigger', async () => compare(triggerVersion, await payloads()));

	it('and no other operation has any', () => {
		const kept = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'));
		const expected = [
			...registered.map(({ name }) => `${version}/${name.replace(':', '/')}.json`),
			`${triggerVersion}.json`,
		];
		if (mayWrite()) for (const path of kept) if (!expected.includes(path)) rmSync(join(FOLDER, path));
		expect(kept.sort()).toEqual(expected.sort());
	});
});
