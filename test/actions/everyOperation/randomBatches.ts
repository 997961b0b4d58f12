import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { PEOPLE, ROLES, type Entry } from '../../client/support/scenarios';
import type { FaultyService } from './faultyService';
import type { Target } from './randomFaults';
import { byId, contract } from '../support/workbench';

/** An operation over ten items, and how its effect at the service is told apart by item. */
export interface Batch {
	parameters: INodeParameters;
	items: INodeExecutionData[];
	/** Every endpoint that the operation, or what mends it, may call. */
	targets: readonly Target[];
	/** What the service holds afterwards: the name that the item gave it, its id, and its state. */
	effects(): Promise<Effect[]>;
	/** The state of an effect that an item which reports success must have. */
	done: string;
	/** Whether the objects exist before, so that only their state tells of an effect. */
	existing?: true;
}

export type Effect = { name: string; id: string; state: string };

const ITEMS = 10;

/** Some items ask for the very same as others: nothing but the order tells them apart. */
const nameOf = (index: number) => (index % 3 === 0 ? 'The same' : `Number ${index}`);

const named = (more: (index: number) => IDataObject = () => ({})): INodeExecutionData[] =>
	Array.from({ length: ITEMS }, (_, index) => ({ json: { name: nameOf(index), ...more(index) } }));

async function documentsOf({ direct }: FaultyService): Promise<Effect[]> {
	const documents = await direct.list('/documents?limit=100');
	return documents.map(({ id, title, status }) => ({ id, name: String(title), state: String(status) }));
}

const READS: readonly Target[] = [
	['GET', '/documents'],
	['GET', '/documents/*'],
];

/** Template sends, with embed links, which come only with the answer. */
async function templateSend(service: FaultyService): Promise<Batch> {
	return {
		parameters: {
			resource: 'template',
			operation: 'send',
			templateId: byId(await service.direct.template('Mutual NDA')),
			recipientsInput: 'json',
			recipientsJson: JSON.stringify(ROLES),
			embed: '={{ $itemIndex % 4 === 0 }}',
			additionalFields: { title: '={{ $json.name }}' },
		},
		items: named(),
		targets: [
			['POST', '/templates/*/send'],
			['POST', '/templates/*/send'],
			['POST', '/documents/*/recipients/*/embed-link'],
			['GET', '/templates/*'],
			...READS,
		],
		effects: async () => await documentsOf(service),
		done: 'in_progress',
	};
}

/** Documents from a file: upload, draft, fields, send. */
async function documentCreate(service: FaultyService): Promise<Batch> {
	const binary = { data: await contract() };
	return {
		parameters: {
			resource: 'document',
			operation: 'createAndSend',
			recipientsInput: 'json',
			recipientsJson: JSON.stringify(PEOPLE),
			fieldsInput: 'automatic',
			title: '={{ $json.name }}',
		},
		items: named().map((item) => ({ ...item, binary })),
		targets: [
			['POST', '/files'],
			['POST', '/documents'],
			['POST', '/documents'],
			['PUT', '/documents/*/fields'],
			['POST', '/documents/*/send'],
			...READS,
		],
		effects: async () => await documentsOf(service),
		done: 'in_progress',
	};
}

async function linkCreate(service: FaultyService): Promise<Batch> {
	const { template, body } = await service.direct.linkBody('');
	const signers = (body.signers as IDataObject[]).map(
		({ placeholder_id: placeholderId, is_open: isOpen, ...person }) => ({
			placeholderId,
			isOpen,
			...person,
		}),
	);
	return {
		parameters: {
			resource: 'templateLink',
			operation: 'create',
			templateId: byId(template),
			signersInput: 'json',
			signersJson: JSON.stringify(signers),
			additionalFields: { label: '={{ $json.name }}', maxUses: 5, expiresAt: '2030-01-01T00:00:00Z' },
		},
		items: named(),
		targets: [
			['POST', '/templates/*/links'],
			['POST', '/templates/*/links'],
			['GET', '/templates/*/links'],
		],
		effects: async () => (await service.direct.list(`/templates/${template}/links`)).map(asEffect('label')),
		done: 'true',
	};
}

/** More endpoints than the service has room for: half of the items are refused, faults or not. */
async function webhookCreate(service: FaultyService): Promise<Batch> {
	return {
		parameters: {
			resource: 'webhook',
			operation: 'create',
			url: '={{ $json.name }}',
			events: ['document.sent', 'document.completed'],
		},
		items: Array.from({ length: ITEMS }, (_, index) => ({ json: { name: `https://127.0.0.1:9/${index}` } })),
		targets: [
			['POST', '/webhooks'],
			['POST', '/webhooks'],
			['GET', '/webhooks'],
		],
		effects: async () => (await service.direct.list('/webhooks')).map(asEffect('url')),
		done: 'ACTIVE',
	};
}

async function documentCancel(service: FaultyService): Promise<Batch> {
	const ids: string[] = [];
	for (let index = 0; index < ITEMS; index++) ids.push((await service.direct.sent()).id);
	return {
		parameters: { resource: 'document', operation: 'cancel', documentId: byId('={{ $json.name }}') },
		items: ids.map((name) => ({ json: { name } })),
		targets: [
			['POST', '/documents/*/cancel'],
			['POST', '/documents/*/cancel'],
			['GET', '/documents/*'],
		],
		effects: async () => (await documentsOf(service)).map((effect) => ({ ...effect, name: effect.id })),
		done: 'cancelled',
		existing: true,
	};
}

async function documentSend(service: FaultyService): Promise<Batch> {
	const ids: string[] = [];
	const box = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.1, type: 'SIGNATURE' };
	const files = [await service.direct.upload()];
	for (let index = 0; index < ITEMS; index++) {
		const body = { files, recipients: PEOPLE };
		const draft = await service.direct.call('POST', '/documents', body);
		const { id, recipients } = draft as unknown as { id: string; recipients: Array<{ id: string }> };
		await service.direct.call('PUT', `/documents/${id}/fields`, {
			fields: [{ ...box, recipientId: recipients[0]?.id }],
		});
		ids.push(id);
	}
	return {
		parameters: { resource: 'document', operation: 'send', documentId: byId('={{ $json.name }}') },
		items: ids.map((name) => ({ json: { name } })),
		targets: [
			['POST', '/documents/*/send'],
			['POST', '/documents/*/send'],
			['GET', '/documents/*'],
		],
		effects: async () => (await documentsOf(service)).map((effect) => ({ ...effect, name: effect.id })),
		done: 'in_progress',
		existing: true,
	};
}

function asEffect(name: string): (entry: Entry) => Effect {
	return (entry) => ({ id: entry.id, name: String(entry[name]), state: String(entry.status ?? entry.enabled) });
}

/** Batches by the operation they run. */
export const BATCHES: Record<string, (service: FaultyService) => Promise<Batch>> = {
	'template: send': templateSend,
	'document: create, placed and sent': documentCreate,
	'templateLink: create': linkCreate,
	'webhook: create': webhookCreate,
	'document: send': documentSend,
	'document: cancel': documentCancel,
};
