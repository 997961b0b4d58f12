import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Entry } from '../../../harness/serviceClient';
import type { Endpoint } from '../../../nodes/ESign/client';
import { OPERATIONS } from '../support/operationOfEndpoint';
import { byId, createAndSend, templateSend, withContract } from '../support/workbench';
import type { FaultyService } from './faultyService';
import type { Target } from './randomFaults';
import { SCENARIOS } from './scenarios';

/** What the service holds: the name that the item gave it, its id, and its state. */
export type Effect = { name: string; id: string; state: string };

/** An operation over several items, each of which says in `name` what it asks for. */
export interface Prepared {
	parameters: INodeParameters;
	items: INodeExecutionData[];
	effects(): Promise<Effect[]>;
}

/** An operation that changes something at the service, and how its effect is told apart by item. */
export interface ChangingOperation {
	/** The request that has the effect. */
	request: Target;
	/** What else the operation, or what mends it, may call. */
	others: readonly Target[];
	/** The state of an effect that an item which reports success must have. */
	done: string;
	/** Whether the objects exist before, so that only their state tells of an effect. */
	existing?: true;
	/** @param names what items ask for: some for the very same as others */
	prepare(service: FaultyService, names: readonly string[]): Promise<Prepared>;
}

const NAME = '={{ $json.name }}';
const READS: readonly Target[] = [
	['GET', '/documents'],
	['GET', '/documents/*'],
];

const named = (names: readonly string[]) => names.map((name) => ({ name }));
const withoutFiles = (names: readonly string[]) => named(names).map((json) => ({ json }));

async function documentsOf({ direct }: FaultyService): Promise<Effect[]> {
	return (await direct.documents()).map(({ id, title, status }) => ({ id, name: title, state: status }));
}

/** Documents from a file: upload, draft, and if it goes out fields and send. */
function fromFile(changed: INodeParameters, done: string, others: readonly Target[]): ChangingOperation {
	return {
		request: ['POST', '/documents'],
		others: [['POST', '/files'], ...others, ...READS],
		done,
		prepare: async (service, names) => ({
			parameters: { ...createAndSend(NAME), ...changed },
			items: await withContract(...named(names)),
			effects: async () => await documentsOf(service),
		}),
	};
}

/** Documents that exist: an item is called by the id of its own. */
function ofExisting(
	endpoint: Endpoint,
	done: string,
	effectsOf: (service: FaultyService) => Promise<Array<Omit<Effect, 'name'>>>,
): ChangingOperation {
	return {
		request: ['POST', endpoint.slice('POST '.length).replace('{id}', '*') as Target[1]],
		others: [['GET', '/documents/*']],
		done,
		existing: true,
		prepare: async (service, names) => {
			const ids: string[] = [];
			while (ids.length < names.length) {
				const { path } = await SCENARIOS[endpoint](service.direct);
				ids.push(String(path?.id));
			}
			return {
				parameters: { ...OPERATIONS[endpoint], documentId: byId(NAME) },
				items: withoutFiles(ids),
				effects: async () => (await effectsOf(service)).map((effect) => ({ ...effect, name: effect.id })),
			};
		},
	};
}

/** Every reminder that the service has answered. */
async function remindersOf({ sandbox }: FaultyService): Promise<Array<Omit<Effect, 'name'>>> {
	const requests = await sandbox.control.requests();
	return requests.flatMap(({ path, status }) => {
		const id = /\/documents\/([^/]+)\/remind$/.exec(path)?.[1];
		return id !== undefined && status === 200 ? [{ id, state: 'reminded' }] : [];
	});
}

function asEffect(name: string): (entry: Entry) => Effect {
	return (entry) => ({ id: entry.id, name: String(entry[name]), state: String(entry.status ?? entry.enabled) });
}

export const CHANGING: Record<string, ChangingOperation> = {
	'document: create': fromFile({ operation: 'create', fieldsInput: 'none' }, 'draft', []),
	'document: create, placed and sent': fromFile({}, 'in_progress', [
		['PUT', '/documents/*/fields'],
		['POST', '/documents/*/send'],
	]),
	/** With embed links, which come only with the answer. */
	'template: send': {
		request: ['POST', '/templates/*/send'],
		others: [['POST', '/documents/*/recipients/*/embed-link'], ['GET', '/templates/*'], ...READS],
		done: 'in_progress',
		prepare: async (service, names) => ({
			parameters: {
				...templateSend(await service.direct.template('Mutual NDA'), NAME),
				embed: '={{ $itemIndex % 4 === 0 }}',
			},
			items: withoutFiles(names),
			effects: async () => await documentsOf(service),
		}),
	},
	'templateLink: create': {
		request: ['POST', '/templates/*/links'],
		others: [['GET', '/templates/*/links']],
		done: 'true',
		prepare: async ({ direct }, names) => {
			const template = await direct.template('Mutual NDA');
			const signers = (await direct.linkBody(template, '')).signers.map(
				({ placeholder_id: placeholderId, is_open: isOpen, ...person }) => ({ placeholderId, isOpen, ...person }),
			);
			return {
				parameters: {
					resource: 'templateLink',
					operation: 'create',
					templateId: byId(template),
					signersInput: 'json',
					signersJson: JSON.stringify(signers),
					additionalFields: { label: NAME, maxUses: 5, expiresAt: '2030-01-01T00:00:00Z' },
				},
				items: withoutFiles(names),
				effects: async () => (await direct.list(`/templates/${template}/links`)).map(asEffect('label')),
			};
		},
	},
	'webhook: create': {
		request: ['POST', '/webhooks'],
		others: [['GET', '/webhooks']],
		done: 'ACTIVE',
		prepare: async ({ direct }, names) => ({
			parameters: {
				resource: 'webhook',
				operation: 'create',
				url: NAME,
				events: ['document.sent', 'document.completed'],
			},
			items: withoutFiles(names.map((name) => `https://127.0.0.1:9/${encodeURIComponent(name)}`)),
			effects: async () => (await direct.list('/webhooks')).map(asEffect('url')),
		}),
	},
	'document: send': ofExisting('POST /documents/{id}/send', 'in_progress', documentsOf),
	'document: cancel': ofExisting('POST /documents/{id}/cancel', 'cancelled', documentsOf),
	'document: remind': ofExisting('POST /documents/{id}/remind', 'reminded', remindersOf),
};
