import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Recorded } from './serviceRecord';
import { byId, DRAFT, peopleOf, Workbench } from './workbench';

/** A locator whose ID comes from the item. */
export const fromItem = (name: string): INodeParameters => ({ __rl: true, mode: 'id', value: `={{ $json.${name} }}` });

export const SIGNERS = [
	{ name: 'Ada Lovelace', email: 'ada@example.com' },
	{ name: 'Grace Hopper', email: 'grace@example.com' },
];

/** The workbench of a test file: opened before its tests, back at the seed before each of them. */
export let bench: Workbench;

export function openBench(): void {
	beforeAll(async () => {
		bench = await Workbench.open();
	});
	beforeEach(async () => {
		await bench.sandbox.control.reset();
		bench.takeRequests();
	});
	afterAll(async () => await bench.close());
}

/** Two documents of one signer each, in the state that the test needs. */
export async function documents(send: boolean): Promise<Array<{ documentId: string; recipientId: string }>> {
	const made: Array<{ documentId: string; recipientId: string }> = [];
	for (const signer of SIGNERS) {
		const [document] = await bench.prepare('document', send ? 'createAndSend' : 'create', {
			...DRAFT,
			recipients: { recipient: [{ ...signer, type: 'signer' }] },
		});
		const [recipient] = document?.recipients as IDataObject[];
		made.push({ documentId: String(document?.id), recipientId: String(recipient?.id) });
	}
	return made;
}

/** Both roles of the NDA, filled. */
export const NDA_PEOPLE = peopleOf(
	{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' },
	{ role: 'Company', name: 'Grace Hopper', email: 'grace@example.com' },
);

export async function templateIds(): Promise<{ nda: string; offer: string }> {
	const templates = await bench.prepare('template', 'getAll');
	const idOf = (name: string) => String(templates.find((template) => template.name === name)?.id);
	return { nda: idOf('Mutual NDA'), offer: idOf('Offer Letter') };
}

export async function webhooks(): Promise<string[]> {
	const made: string[] = [];
	for (const port of [9, 10]) {
		const url = `http://127.0.0.1:${port}/events`;
		const [webhook] = await bench.prepare('webhook', 'create', {
			url,
			events: ['document.sent', 'document.cancelled'],
		});
		made.push(String(webhook?.id));
	}
	return made;
}

export async function links(): Promise<string[]> {
	const { nda } = await templateIds();
	const [template] = await bench.prepare('template', 'get', { templateId: byId(nda) });
	const roles = template?.roles as IDataObject[];
	const made: string[] = [];
	for (const label of ['Website', 'Newsletter']) {
		const signersJson = JSON.stringify([
			{ placeholderId: roles[0]?.id, isOpen: true },
			{ placeholderId: roles[1]?.id, isOpen: false, ...SIGNERS[0] },
		]);
		const [link] = await bench.prepare('templateLink', 'create', {
			templateId: byId(nda),
			signersInput: 'json',
			signersJson,
			additionalFields: { label },
		});
		made.push(String(link?.id));
	}
	return made;
}

/** Runs an operation on two items and checks that it succeeds, in order and paired. */
export async function run(
	[resource, operation]: [string, string],
	parameters: INodeParameters,
	items: INodeExecutionData[],
): Promise<{ requests: Recorded[]; output: IDataObject[] }> {
	const { items: output, error } = await bench.run(resource, operation, parameters, { items });
	expect(error).toBeUndefined();
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	return { requests: bench.takeRequests(), output: output.map(({ json }) => json) };
}

export const items = (...jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));

/** What the service itself answers to a GET. */
export async function answerOf(path: string): Promise<unknown> {
	const headers = { authorization: `Bearer ${bench.sandbox.keys.test}` };
	return await (await fetch(`${bench.sandbox.url}${path}`, { headers })).json();
}

/** A request as it has to be: nothing but what is named. */
export function sent(
	method: string,
	path: string,
	{ query = {}, body }: { query?: object; body?: unknown } = {},
): object {
	return { method, path, query, body };
}

/** What the record holds of a request that was allowed, without how it was encoded. */
export function asSent(requests: readonly Recorded[]): object[] {
	for (const { status } of requests) expect(status).toBeLessThan(300);
	return requests.map(({ method, path, query, body }) => ({ method, path, query, body }));
}

/** Two endpoints that nobody answers, each with the attempts to deliver two events. */
export async function deliveries(): Promise<Array<{ webhook: string; delivery: string }>> {
	const made = await webhooks();
	await documents(true);
	await bench.sandbox.control.advance(60);
	const found: Array<{ webhook: string; delivery: string }> = [];
	for (const webhook of made) {
		const log = await bench.prepare('webhookDelivery', 'getAll', {
			webhookId: byId(webhook),
		});
		found.push({ webhook, delivery: String(log[0]?.id) });
	}
	return found;
}
