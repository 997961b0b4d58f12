import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Entry } from '../../support/serviceClient';
import type { LossyService } from '../../sending/support/lossyService';
import { byId, createAndSend, withContract } from '../support/workbench';
import { given } from './cases';

/** What the service holds: what the item asked for, its id, and its state. */
type Effect = { asked: string; id: string; state: string };

/** An operation over several items, each of which says in `asked` what it asks for. */
export interface Prepared {
	parameters: INodeParameters;
	items: INodeExecutionData[];
	effects(): Promise<Effect[]>;
}

/** An operation that changes something at the service, and how its effect is known by item. */
export interface ChangingOperation {
	/** The request that has the effect: `POST` of this path. */
	path: RegExp;
	/** The state of an effect that an item which reports success must have. */
	done: string;
	/** Whether the objects exist before, so that only their state tells of an effect. */
	existing?: true;
	/** Whether a lost answer may leave a second one, which a hint or the error tells of. */
	leavesSpare?: true;
	/** @param names what items ask for: some for the same as others */
	prepare(service: LossyService, names: readonly string[]): Promise<Prepared>;
}

const ASKED = '={{ $json.asked }}';

const asking = (names: readonly string[], more: IDataObject = {}) =>
	names.map((asked) => ({ json: { ...more, asked } }));

async function documentsOf({ direct }: LossyService): Promise<Effect[]> {
	return (await direct.documents()).map(({ id, title, status }) => ({
		id,
		asked: title,
		state: status,
	}));
}

function asEffect(name: string) {
	return (entry: Entry): Effect => ({
		id: entry.id,
		asked: String(entry[name]),
		state: String(entry.status ?? entry.enabled),
	});
}

function fromFile(changed: INodeParameters, done: string): ChangingOperation {
	return {
		path: /^\/documents$/,
		done,
		prepare: async (service, names) => ({
			parameters: createAndSend(ASKED, undefined, changed),
			items: await withContract(...asking(names).map(({ json }) => json)),
			effects: async () => await documentsOf(service),
		}),
	};
}

/** Documents that exist: an item asks by the id of its own. */
function ofExisting(
	operation: 'send' | 'cancel' | 'remind',
	done: string,
	effectsOf: (service: LossyService) => Promise<Array<Omit<Effect, 'asked'>>>,
): ChangingOperation {
	return {
		path: new RegExp(`^/documents/[^/]+/${operation}$`),
		done,
		existing: true,
		prepare: async (service, names) => {
			const ids: string[] = [];
			while (ids.length < names.length) {
				ids.push(
					(
						await service.direct[operation === 'send' ? 'draft' : 'send']('Contract', [
							'ada@example.com',
						])
					).id,
				);
			}
			return {
				parameters: { resource: 'document', operation, documentId: byId(ASKED) },
				items: asking(ids),
				effects: async () =>
					(await effectsOf(service)).map((effect) => ({ ...effect, asked: effect.id })),
			};
		},
	};
}

/** Every reminder that the service has answered. */
async function remindersOf({ sandbox }: LossyService): Promise<Array<Omit<Effect, 'asked'>>> {
	const requests = await sandbox.control.requests();
	return requests.flatMap(({ path, status }) => {
		const id = /\/documents\/([^/]+)\/remind$/.exec(path)?.[1];
		return id !== undefined && status === 200 ? [{ id, state: 'reminded' }] : [];
	});
}

export const CHANGING: Record<string, ChangingOperation> = {
	'document:create': fromFile({ operation: 'create', fieldsInput: 'none' }, 'draft'),
	'document:createAndSend': fromFile({}, 'in_progress'),
	/** With embed links, which come only with the answer. */
	'template:send': {
		path: /^\/templates\/[^/]+\/send$/,
		done: 'in_progress',
		prepare: async (service, names) => ({
			parameters: { ...(await service.templateSend(ASKED)), embed: '={{ $itemIndex % 4 === 0 }}' },
			items: asking(names),
			effects: async () => await documentsOf(service),
		}),
	},
	'templateLink:create': {
		path: /^\/templates\/[^/]+\/links$/,
		done: 'true',
		leavesSpare: true,
		prepare: async ({ direct }, names) => {
			const name = 'templateLink:create';
			const { parameters, items } = await given(name, direct);
			const { json = {} } = items[0] ?? {};
			return {
				parameters: { ...parameters, additionalFields: { label: ASKED } },
				items: asking(names, json),
				effects: async () =>
					(await direct.list(`/templates/${String(json.templateId)}/links`)).map(asEffect('label')),
			};
		},
	},
	'webhook:create': {
		path: /^\/webhooks$/,
		done: 'ACTIVE',
		leavesSpare: true,
		prepare: async ({ direct }, names) => ({
			parameters: {
				resource: 'webhook',
				operation: 'create',
				url: ASKED,
				events: ['document.sent'],
			},
			items: asking(names.map((name) => `https://127.0.0.1:9/${encodeURIComponent(name)}`)),
			effects: async () => (await direct.list('/webhooks')).map(asEffect('url')),
		}),
	},
	'document:send': ofExisting('send', 'in_progress', documentsOf),
	'document:cancel': ofExisting('cancel', 'cancelled', documentsOf),
	'document:remind': ofExisting('remind', 'reminded', remindersOf),
};
