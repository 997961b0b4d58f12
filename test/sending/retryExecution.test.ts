import type { INodeParameters, IRun } from 'n8n-workflow';
import { nodeRun } from '../support/n8nCore/n8n';
import { ADA, byId, contract, createAndSend, TYPE } from '../actions/support/workbench';
import { given } from '../actions/everyOperation/cases';
import { callsOf } from '../client/support/faults';
import {
	DOCUMENT,
	DOCUMENTS,
	DONE,
	DOWN,
	NOT_DONE,
	REFUSED,
	SEND,
	TEMPLATE_SEND,
} from './support/losses';
import { hintsOf, numbered, titlesOf } from './support/lossyService';
import { BACK, esign, GIVEN, TELL, Workflows } from './support/workflows';

const workflows = new Workflows();
const { service } = workflows;

const TITLE = '={{ "T " + $json.n }}';

/**
 * After a retry that failed, the editor stays on the first execution, and offers its Retry again.
 */
describe('Retry execution, of any execution of the line', () => {
	it('sends only what no try has sent, however often', async () => {
		const parameters = await service.templateSend(TITLE);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const first = await service.run(parameters, await numbered(3));
		expect(first.error).toMatchObject({ httpCode: '402' });
		expect(first.error?.description).toContain('1 of 3 documents were sent. Solve the problem,');
		expect(first.error?.description).toContain(
			'save the workflow (n8n 2 does that by itself), and retry the execution',
		);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 3' });
		expect((await service.retry(first, parameters)).error).toBeDefined();
		await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		// Corrected to what resolves the same for the items that are done.
		const corrected = await service.templateSend('={{ "T " + Math.round($json.n) }}');
		for (let again = 0; again < 2; again++) {
			const { items } = await service.retry(first, corrected);
			expect(items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
				[0, 1, 2].map((item) => [`T ${item + 1}`, { item }]),
			);
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2', 'T 3']);
		}
	});

	it('of a sub-workflow: the error says that it is the one to retry, and not its caller', async () => {
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T 2' });
		const options = { parameters: await service.templateSend(TITLE), items: await numbered(2) };
		const { error } = await service.n8n.runNode(TYPE, { ...options, mode: 'integrated' });
		expect(error?.description).toContain(
			'retry the execution of this sub-workflow, not of the workflow that called it',
		);
	});

	it('sends to each of two equal rows, of which another retry has sent the second', async () => {
		const parameters = await service.templateSend('T');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 2 });
		const first = await service.run(parameters, await numbered(2));
		const settings = { onError: 'continueRegularOutput' as const };
		const second = await service.n8n.retryNode(TYPE, first, { parameters, settings });
		expect(second.items.map(({ json }) => json.status)).toEqual([undefined, 'in_progress']);
		const third = await service.retry(first, parameters);
		expect(new Set(third.items.map(({ json }) => json.id)).size).toBe(2);
	});

	it('sends to each of two equal rows, of which the second has got what was lost of the first', async () => {
		const parameters = await service.templateSend('T');
		service.loseForGood(TEMPLATE_SEND, DONE);
		const first = await service.run(parameters, await numbered(2));
		service.mend();
		service.lose('GET', DOCUMENTS, DOWN, { times: 2 });
		const settings = { onError: 'continueRegularOutput' as const };
		const second = await service.n8n.retryNode(TYPE, first, { parameters, settings });
		expect(second.items.map(({ json }) => json.status)).toEqual([undefined, 'in_progress']);
		const third = await service.retry(first, parameters);
		expect(new Set(third.items.map(({ json }) => json.id)).size).toBe(2);
		await expect(service.titles()).resolves.toEqual(['T', 'T']);
	});

	it.each([1, 2])(
		'leaves what is in doubt to the last of %i + 1 rows alike, whose it is',
		async (others) => {
			const parameters = createAndSend('T');
			const items = await numbered(others + 1);
			service.lose('POST', DOCUMENTS, REFUSED);
			const first = await service.run(parameters, items);
			service.lose('POST', DOCUMENTS, REFUSED, { times: others });
			service.loseSend(NOT_DONE);
			const settings = { onError: 'continueRegularOutput' as const };
			const second = await service.n8n.retryNode(TYPE, first, { parameters, settings });
			expect(second.items.map(({ json }) => json.error === undefined)).toEqual(
				items.map(() => false),
			);
			const third = await service.retry(first, parameters);
			expect(new Set(third.items.map(({ json }) => json.id)).size).toBe(items.length);
			await expect(service.titles()).resolves.toEqual(items.map(() => 'T'));
		},
	);

	it('leaves to each of two equal rows the draft that another retry has made of it, also one that is out', async () => {
		const parameters = createAndSend('T');
		service.lose('POST', DOCUMENTS, REFUSED);
		const first = await service.run(parameters, await numbered(2));
		service.lose('PUT', /\/fields$/, REFUSED);
		service.loseSend(DONE);
		const settings = { onError: 'continueRegularOutput' as const };
		await service.n8n.retryNode(TYPE, first, { parameters, settings });
		service.mend();
		const third = await service.retry(first, parameters);
		expect(new Set(third.items.map(({ json }) => json.id)).size).toBe(2);
	});

	it('returns the draft with which another retry is done, even if the item was corrected', async () => {
		const parameters = (title: string) => ({ ...createAndSend(title), operation: 'create' });
		service.lose('POST', DOCUMENTS, REFUSED);
		const first = await service.run(parameters('={{ "A " + $json.n }}'), await numbered(2));
		service.lose('POST', DOCUMENTS, REFUSED, { body: 'B 2' });
		const second = await service.retry(first, parameters('={{ "B " + $json.n }}'));
		expect(second.error).toBeDefined();
		const { items } = await service.retry(first, parameters('={{ "A " + $json.n }}'));
		expect(items.map(({ json }) => json.title)).toEqual(['B 1', 'A 2']);
		await expect(service.titles()).resolves.toEqual(['A 2', 'B 1']);
	});

	it('takes what another retry may have sent, even if the item was corrected', async () => {
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await service.run(await service.templateSend('A'));
		service.loseForGood(TEMPLATE_SEND, DONE);
		const second = await service.retry(first, await service.templateSend('B'));
		expect(second.error).toBeDefined();
		service.mend();
		const third = await service.retry(first, await service.templateSend('A'));
		expect(third.items.map(({ json }) => json.title)).toEqual(['B']);
		await expect(service.titles()).resolves.toEqual(['B']);
	});

	it('reminds once whom any of them has reminded, and does all again with a key of the other mode', async () => {
		const items = [];
		for (const title of ['A', 'B'])
			items.push({ json: { ...(await service.direct.send(title, ['ada@example.com'])) } });
		const parameters = {
			resource: 'document',
			operation: 'remind',
			documentId: byId('={{ $json.id }}'),
		};
		service.lose('POST', /remind$/, REFUSED, { skip: 1 });
		const first = await service.run(parameters, items);
		for (let again = 0; again < 2; again++)
			expect((await service.retry(first, parameters)).error).toBeUndefined();
		expect(await callsOf(service.sandbox, 'POST /documents/{id}/remind')).toBe(2);
		service.n8n.credentials.use({ ...service.credential, apiKey: service.sandbox.keys.live });
		expect((await service.retry(first, parameters)).error?.httpCode).toBe('404');
		service.n8n.credentials.use(service.credential);
	});

	it('sends nothing twice where an item had failed because its parameters could not be read', async () => {
		const bad = await service.templateSend(
			"={{ $json.n === 2 ? $('Nowhere').item.json.x : 'T ' + $json.n }}",
		);
		const first = await service.run(bad, await numbered(2));
		expect(first.error).toBeDefined();
		for (let again = 0; again < 2; again++) {
			expect(titlesOf(await service.retry(first, await service.templateSend(TITLE)))).toEqual([
				'T 1',
				'T 2',
			]);
			await expect(service.titles()).resolves.toEqual(['T 1', 'T 2']);
		}
	});

	it.each([
		['with a new row on top', ['A', 'B'], ['C', 'A', 'B']],
		['without the row that is done', ['A', 'B', 'C'], ['B', 'C']],
	])(
		'sends no row of a list read anew twice, and none in place of another: %s',
		async (_, before, after) => {
			const sends = esign('eSign', await service.templateSend(TITLE));
			const nodes = [GIVEN, TELL, { ...GIVEN, name: 'Made' }, sends];
			const workflow = workflows.flow(nodes, 'Given > Tell', 'Tell > Made', 'Made > eSign');
			workflows.failures = 1;
			const first = await workflows.run(workflow);
			for (const rows of [before, after]) {
				workflows.items = rows.map((n) => ({ json: { n } }));
				const retried = await service.n8n.retry(workflow, first);
				expect(titlesOf(nodeRun(retried, 'eSign'))).toEqual(rows.map((n) => `T ${n}`));
			}
			await expect(service.titles()).resolves.toEqual(
				[...new Set([...before, ...after])].sort().map((n) => `T ${n}`),
			);
		},
	);

	it.each(['template', 'files'])(
		'sends no row twice whose answer a retry has lost, whichever is retried then: %s',
		async (from) => {
			const sends = esign(
				'eSign',
				from === 'files' ? createAndSend(TITLE) : await service.templateSend(TITLE),
			);
			const nodes = [GIVEN, TELL, { ...GIVEN, name: 'Made' }, sends];
			const workflow = workflows.flow(nodes, 'Given > Tell', 'Tell > Made', 'Made > eSign');
			workflows.failures = 1;
			const first = await workflows.run(workflow);
			const data = await contract();
			workflows.items = ['A', 'B'].map((n) => ({ json: { n }, binary: { data } }));
			service.lose('GET', DOCUMENTS, DOWN, { times: 9 });
			service.lose('GET', DOCUMENT, DOWN, { times: 9 });
			for (const path of [TEMPLATE_SEND, SEND]) service.lose('POST', path, DONE, { skip: 1 });
			service.lose('POST', SEND, DOWN, { skip: 1, times: 5 });
			const lost = await service.n8n.retry(workflow, first);
			expect(lost.data.resultData.error).toBeDefined();
			service.mend();
			await service.clock.sleep(1_200_000);
			workflows.items.unshift({ json: { n: 'C' }, binary: { data } });
			for (const one of [first, lost]) {
				expect((await service.n8n.retry(workflow, one)).data.resultData.error).toBeUndefined();
				await expect(service.titles()).resolves.toEqual(['T A', 'T B', 'T C']);
			}
		},
	);

	it('reminds once where the item has no data of its own and a node before ran anew', async () => {
		const { id } = await service.direct.send('A', ['ada@example.com']);
		const remind = esign('eSign', {
			resource: 'document',
			operation: 'remind',
			documentId: byId(id),
		});
		workflows.items = [{ json: {} }];
		const workflow = workflows.flow([GIVEN, TELL, remind], 'Given > Tell', 'Tell > eSign');
		workflows.failures = 1;
		const first = await workflows.run(workflow);
		for (let again = 0; again < 2; again++) await service.n8n.retry(workflow, first);
		expect(await callsOf(service.sandbox, 'POST /documents/{id}/remind')).toBe(1);
	});

	it('sends nothing twice that a retry has sent at a later node', async () => {
		const one = esign('One', await service.templateSend('First'));
		const two = esign('Two', await service.templateSend('Second'));
		// Back gives another value at each try.
		const lines = ['Given > One', 'One > Back', 'Back > Two', 'Two > Tell'];
		const workflow = workflows.flow([GIVEN, one, BACK, two, TELL], ...lines);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'First' });
		workflows.failures = 3;
		const first = await workflows.run(workflow);
		await Promise.all([service.n8n.retry(workflow, first), service.n8n.retry(workflow, first)]);
		await service.n8n.retry(workflow, first);
		await expect(service.titles()).resolves.toEqual(['First', 'Second']);
		// n8n's API retries what has succeeded meanwhile as well.
		for (let again = 0; again < 2; again++) {
			expect((await service.n8n.retry(workflow, first)).data.resultData.error).toBeUndefined();
			await expect(service.titles()).resolves.toEqual(['First', 'Second']);
		}
	});

	it.each([
		['files', DOCUMENTS],
		['a template', TEMPLATE_SEND],
	])(
		'sends nothing twice that another worker has sent of a draft of its own, made of %s',
		async (what, path) => {
			const fromTemplate = await service.templateSend('T', { send: false });
			const make = esign(
				'Make',
				what === 'files' ? createAndSend('T', ADA, { operation: 'create' }) : fromTemplate,
			);
			const id = byId('={{ $json.id }}');
			const send = esign('Send', { resource: 'document', operation: 'send', documentId: id });
			const workflow = workflows.flow([GIVEN, make, send], 'Given > Make', 'Make > Send');
			workflows.items = await numbered(2);
			service.lose('POST', path, REFUSED);
			const first = await workflows.run(workflow);
			const other = await workflows.otherWorker(workflow);
			service.lose('POST', SEND, REFUSED, { skip: 1 });
			const second = await other.retry(first);
			const sent = await service.n8n.retry(workflow, first);
			const idsOf = (run: IRun) => nodeRun(run, 'Send').items.map(({ json }) => json.id);
			expect(idsOf(await other.retry(second)).sort()).toEqual(idsOf(sent).sort());
			expect(idsOf(await (await workflows.otherWorker(workflow)).retry(first)).sort()).toEqual(
				idsOf(sent).sort(),
			);
			expect((await service.statuses()).filter((status) => status !== 'draft')).toEqual(
				Array(2).fill('in_progress'),
			);
		},
	);
});

const box = { recipient: ADA.email, type: 'SIGNATURE', pageNumber: 1, xNorm: 0.5, yNorm: 0.5 };
const FIELDS = {
	fieldsInput: 'json',
	fieldsJson: JSON.stringify([{ ...box, widthNorm: 0.2, heightNorm: 0.1 }]),
};

it.each<[string, string, INodeParameters]>([
	['the title of a template document', 'Typo', {}],
	['its embed links alone', 'Right', { embed: true }],
	['Send, so that a draft is wanted,', 'Right', { send: false }],
	['the title of a document from files', 'Typo', { operation: 'createAndSend' }],
	['its fields alone', 'Right', { operation: 'createAndSend', ...FIELDS }],
])(
	'Where %s was corrected, what a lost answer had sent is returned as it was',
	async (_, typed, correction) => {
		const titled = async (title: string, more: INodeParameters = {}) =>
			correction.operation
				? createAndSend(title, ADA, more)
				: await service.templateSend(title, more);
		service.loseForGood(TEMPLATE_SEND, DONE);
		service.loseSend(DONE);
		const first = await service.run(await titled(typed), workflows.items);
		expect(first.error).toBeDefined();
		service.mend();

		const [made] = await service.documents();
		const corrected = await titled('Right', correction);
		for (let again = 0; again < 3; again++) {
			const run = await service.retry(first, corrected);
			expect(run.items.map(({ json }) => json.id)).toEqual([made?.id]);
			expect(hintsOf(run)).toContain(
				`before the item was changed, and not sent again: ${made?.id}`,
			);
			await expect(service.titles()).resolves.toEqual([typed]);
		}
	},
);

describe('A draft whose send was refused', () => {
	it('is not returned once another execution has continued with it, with other fields', async () => {
		const items = await numbered(1);
		service.lose('POST', SEND, REFUSED);
		const first = await service.run(createAndSend('T'), items);
		const other = await service.run(createAndSend('T', ADA, FIELDS), items);
		const again = await service.retry(first, createAndSend('T'));
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(again.items[0]?.json.id).not.toBe(other.items[0]?.json.id);
	});

	it('is sent as it is then: a person may have given it other fields', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(createAndSend('T'), await numbered(1));
		service.requests.length = 0;
		const again = await service.retry(failed, createAndSend('T'));
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(service.requests.filter((request) => request.startsWith('PUT'))).toEqual([]);
	});

	it('is corrected without a wait', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(createAndSend('Typo'), await numbered(1));
		const before = service.clock.now();
		expect(titlesOf(await service.retry(failed, createAndSend('Right')))).toEqual(['Right']);
		expect(service.clock.now() - before).toBeLessThan(60_000);
	});

	it('is made anew where it was in doubt, and the service does not know it any longer', async () => {
		service.loseSend(NOT_DONE);
		const failed = await service.run(createAndSend('Typo'), await numbered(1));
		service.mend();
		await service.sandbox.control.reset();
		expect(titlesOf(await service.retry(failed, createAndSend('Right')))).toEqual(['Right']);
		await expect(service.statuses()).resolves.toEqual(['in_progress']);
	});

	it('is tried no more once the service does not know it any longer', async () => {
		service.lose('POST', SEND, REFUSED);
		const first = await service.run(createAndSend('T'), await numbered(1));
		await service.sandbox.control.reset();
		const gone = await service.retry(first, createAndSend('T'));
		expect(gone.error).toMatchObject({ httpCode: '404' });
		const again = await service.retry(gone, createAndSend('T'));
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress']);
		expect(hintsOf(again)).not.toContain('Continued with the draft');
	});

	it('is never sent once its fields were corrected: another is made', async () => {
		service.lose('POST', SEND, REFUSED);
		const failed = await service.run(createAndSend('T'), await numbered(2));
		service.lose('POST', SEND, REFUSED);
		const refused = await service.retry(failed, createAndSend('T', ADA, FIELDS));
		const again = await service.retry(refused, createAndSend('T', ADA, FIELDS));
		expect(again.items.map(({ json }) => json.status)).toEqual(['in_progress', 'in_progress']);
		// The first retry has dropped the draft of before.
		expect(hintsOf(again)).not.toContain('which is never sent');
		await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress', 'in_progress']);
	});

	it.each([
		['$vars.email', { email: 'ada@right.example' }],
		["$vars['ema' + 'il']", { email: 'ada@right.example' }],
		['$vars?.email', { name: 'Ada Lovelace' }],
	])(
		'never goes to a recipient that was corrected in a variable, as by %s: it is named, and another made',
		async (email, correction) => {
			const { variables } = service.n8n;
			Object.assign(variables, { email: 'ada@wrong.example', name: 'Ada' });
			const parameters = createAndSend('T', { name: '{{ $vars.name }}', email: `{{ ${email} }}` });
			parameters.recipientsJson = `=${String(parameters.recipientsJson)}`;
			service.lose('POST', SEND, REFUSED);
			const failed = await service.run(parameters, await numbered(1));
			const [draft] = await service.documents();

			const corrected = Object.assign(variables, correction);
			const again = await service.retry(failed, parameters);
			expect(again.error).toBeUndefined();
			expect(hintsOf(again)).toContain(`which is never sent: ${draft?.id}.`);
			expect(again.items.map(({ json }) => json)).toMatchObject([
				{ status: 'in_progress', recipients: [corrected] },
			]);
			await expect(service.statuses()).resolves.toEqual(['draft', 'in_progress']);
		},
	);
});

it('Cancel is a success where the document was cancelled since', async () => {
	const { parameters, items } = await given('document:cancel', service.direct);
	service.lose('POST', /cancel$/, REFUSED);
	const first = await service.run(parameters, items.slice(0, 1));
	expect((await service.run(parameters, items.slice(0, 1))).error).toBeUndefined();
	expect((await service.retry(first, parameters)).error).toBeUndefined();
});

it('Create Embed Link makes each link anew, because it may have expired', async () => {
	const { parameters, items } = await given('document:createEmbedLink', service.direct);
	service.lose('POST', /embed-link$/, REFUSED, { skip: 1 });
	const first = await service.run(parameters, items);
	expect(first.error).toBeDefined();
	const LINKS = 'POST /documents/{id}/recipients/{recipientId}/embed-link';
	const made = await callsOf(service.sandbox, LINKS);
	const retried = await service.retry(first, parameters);
	expect(retried.items).toHaveLength(2);
	expect((await callsOf(service.sandbox, LINKS)) - made).toBe(2);
});
