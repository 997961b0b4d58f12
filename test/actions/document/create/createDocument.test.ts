import type { IDataObject } from 'n8n-workflow';
import {
	stepsToDocument,
	type DocumentPlan,
} from '../../../../nodes/ESign/actions/document/create/createDocument';
import { client, fingerprint } from '../../../../nodes/ESign/client';
import type { Item } from '../../../../nodes/ESign/operation/parameters';
import { sendOnce } from '../../../../nodes/ESign/sending/sendOnce';
import { VirtualClock } from '../../../client/support/virtualClock';
import {
	askWithoutPauses,
	scriptedItem,
	type Answer,
	type Asked,
} from '../../support/scriptedItem';

askWithoutPauses();

const usual = {};
beforeAll(() => Object.assign(usual, client.settings));
afterEach(() => Object.assign(client.settings, usual));

const ADA = { name: 'Ada', email: 'Ada@example.com' };
const BOX = {
	type: 'SIGNATURE',
	pageNumber: 1,
	xNorm: 0.1,
	yNorm: 0.8,
	widthNorm: 0.3,
	heightNorm: 0.06,
} as const;
const DRAFT = {
	id: 'doc_1',
	title: 'T',
	status: 'draft',
	recipients: [{ id: 'rcp_1', email: 'ada@example.com' }],
};
const FIELDS = { fields: [{ id: 'fld_1', recipientId: 'rcp_1', ...BOX }] };
const PLACE = 'PUT /documents/doc_1/fields';
const SEND = 'POST /documents/doc_1/send';
const ALL = ['POST /documents', PLACE, SEND];

const plan = (more: Partial<DocumentPlan> = {}): DocumentPlan => ({
	files: { fileIds: ['file_1'] },
	document: { title: 'T', recipients: [ADA] },
	recipients: [ADA],
	request: { label: JSON.stringify(more.fields), fields: [] },
	isPlaced: true,
	fields: [{ recipient: 0, ...BOX }],
	...more,
});

/** The service as it is when all goes well; `changed` answers some requests in another way. */
function service(changed: Record<string, Answer> = {}) {
	const usual: Record<string, Answer> = {
		'POST /documents': { status: 201, body: DRAFT },
		[PLACE]: { body: FIELDS },
		[SEND]: { body: { ...DRAFT, status: 'in_progress' } },
		'GET /documents/doc_1': { body: { ...DRAFT, status: 'cancelled' } },
		'POST /files': { status: 201, body: { id: 'file_9', size_bytes: 1 } },
	};
	return ({ method, path }: Asked) =>
		changed[`${method} ${path}`] ?? usual[`${method} ${path}`] ?? { body: {} };
}

const create = async (item: Item, wanted = plan(), send = true) =>
	await sendOnce(item, {
		...stepsToDocument(item, wanted),
		send,
		withinHours: undefined,
		title: 'T',
		emails: [ADA.email],
	});
const refusal = (status: number, code: string) => ({
	status,
	body: { error: code, message: code },
});
const calls = (asked: Asked[]) => asked.map(({ method, path }) => `${method} ${path}`);
const REMEDY =
	'The draft is kept, and a retry continues with it. To continue by hand, use Update Fields and Send instead of creating another draft.';

describe('A document is made in as few requests as the service allows', () => {
	it.each<[string, boolean, Partial<DocumentPlan>, string[]]>([
		['draft, fields, send', true, {}, ALL],
		['without fields: draft and send', true, { fields: [] }, ['POST /documents', SEND]],
		['a draft with fields of somebody', false, {}, ALL.slice(0, 2)],
		['a draft with fields of nobody', false, { fields: [BOX] }, ['POST /documents']],
		['a draft without fields', false, { fields: [] }, ['POST /documents']],
		[
			'a file is uploaded first',
			true,
			{ files: { binary: [{ name: 'a.pdf', bytes: Buffer.from('a') }] } },
			['POST /files', ...ALL],
		],
	])('%s', async (_, send, more, expected) => {
		const { item, asked } = scriptedItem({}, service());
		await create(item, plan(more), send);
		expect(calls(asked)).toEqual(expected);
		const draft = asked.find(({ path }) => path === '/documents');
		expect(draft?.body.fields).toEqual(more.fields?.length ? [BOX] : undefined);
	});

	it('with what was asked for, and is returned in its last state, with its files and its fields', async () => {
		const { item, asked } = scriptedItem({}, service());
		const document = await create(item);
		expect(asked[0]?.body).toEqual({ files: ['file_1'], title: 'T', recipients: [ADA] });
		expect(asked[1]?.body).toEqual({ fields: [{ ...BOX, recipientId: 'rcp_1' }] });
		expect(document).toEqual({ ...DRAFT, status: 'in_progress', file_ids: ['file_1'], ...FIELDS });
	});

	it('fields of nobody go with the draft, also when it is sent', async () => {
		const { item, asked } = scriptedItem({}, service());
		await create(item, plan({ fields: [BOX] }));
		expect(asked[0]?.body.fields).toEqual([BOX]);
		expect(calls(asked)).toEqual([ALL[0], ALL[2]]);
	});
});

type Changed = Parameters<typeof service>[0];

/** What has come of a document that could not be made, where the service answers so. */
async function failed(changed: Changed, wanted = plan()) {
	const scripted = scriptedItem({}, service(changed));
	const failure = await create(scripted.item, wanted).catch((one: unknown) => one);
	return { ...scripted, error: failure as Error & IDataObject };
}

describe('A step that fails after the draft', () => {
	it.each([
		[PLACE, 'placing its fields'],
		[SEND, 'sending it'],
	])('%s: the error names the draft, the step and how to continue', async (endpoint, step) => {
		const { error, log } = await failed({ [endpoint]: refusal(403, 'forbidden') });
		expect(error.message).toContain(`The draft doc_1 was created, but ${step} failed: `);
		expect(error.description).toMatch(new RegExp(`\\S\\n${REMEDY}$`));
		expect(log).toEqual([]);
		expect(error.context).toMatchObject({ documentId: 'doc_1' });
	});

	it('says so where the draft is there no longer, and the next try makes another', async () => {
		const gone = { status: 404, body: { error: { code: 'document_not_found' } } };
		const changed: Changed = { [SEND]: gone };
		const { error, item } = await failed(changed);
		expect(error.description).toMatch(/deleted the draft\. The next try creates another\.$/);
		delete changed[SEND];
		await expect(create(item)).resolves.toMatchObject({ status: 'in_progress' });
	});

	it('promises no retry where the execution continues after an error', async () => {
		const { item } = scriptedItem({}, service({ [SEND]: refusal(403, 'forbidden') }));
		item.context.continueOnFail = () => true;
		const failure = (await create(item).catch((one: unknown) => one)) as IDataObject;
		expect(failure.description).toMatch(
			/The draft is kept\. To continue by hand, use Update Fields/,
		);
	});

	it('is gone on with from the draft by the next try; fields that are placed are not placed again', async () => {
		const changed: Changed = { [SEND]: refusal(403, 'forbidden') };
		const { item, asked } = await failed(changed);
		delete changed[SEND];
		asked.length = 0;
		await expect(create(item)).resolves.toMatchObject({ status: 'in_progress', ...FIELDS });
		expect(calls(asked)).toEqual([SEND]);
	});

	it.each([PLACE, SEND])(
		'%s, refused: a draft that somebody has sent meanwhile is a success',
		async (at) => {
			const sent = { ...DRAFT, status: 'in_progress' };
			const changed: Changed = { [at]: refusal(403, 'forbidden') };
			const { item } = await failed(changed);
			changed[at] = refusal(409, 'document_not_draft');
			changed['GET /documents/doc_1'] = { body: sent };
			await expect(create(item)).resolves.toMatchObject(sent);
		},
	);

	it.each<[string, string, Answer[]]>([
		['is new', 'in_progress', [refusal(409, 'document_not_draft')]],
		[
			'is refused for something else',
			'in_progress',
			[refusal(403, 'forbidden'), refusal(403, 'forbidden')],
		],
		['is still a draft', 'draft', [refusal(403, 'forbidden'), refusal(409, 'out_of_bounds')]],
	])('a draft that %s is not sent without its fields', async (_, status, answers) => {
		const changed: Changed = { 'GET /documents/doc_1': { body: { ...DRAFT, status } } };
		const { item, asked } = scriptedItem({}, service(changed));
		for (const answer of answers) {
			changed[PLACE] = answer;
			await expect(create(item)).rejects.toThrow('The draft doc_1 was created, but placing');
		}
		expect(calls(asked)).not.toContain(SEND);
	});

	it('a draft that was cancelled meanwhile fails, and is said to be', async () => {
		const { error } = await failed({ [SEND]: refusal(409, 'document_not_draft') });
		expect(error?.message).toBe('This was sent before, and was cancelled since: doc_1');
	});

	it.each(ALL.slice(1))(
		'%s: where the execution was cancelled, nothing more is sent, and the log names it',
		async (at) => {
			const stop = new AbortController();
			const cancelling = (asked: Asked) => {
				if (`${asked.method} ${asked.path}` !== at) return service()(asked);
				stop.abort();
				throw new Error('canceled');
			};
			const { item, asked, log } = scriptedItem({}, cancelling, undefined, stop.signal);
			const what = at === SEND ? 'and may have been sent: ' : 'but ';
			const words = `The draft doc_1 was created, ${what}`;
			await expect(create(item)).rejects.toThrow(words);
			expect(calls(asked).at(-1)).toBe(at);
			// n8n saves no error of such an execution.
			expect(log).toEqual([expect.stringContaining(`eSign: ${words}`)]);
		},
	);

	it('a draft whose files are no document is not recommended to anybody', async () => {
		const details = [{ field: 'files', message: 'could not be converted to PDF pages' }];
		const body = { error: { code: 'validation_error', message: 'Not valid', details } };
		const { error } = await failed({ [PLACE]: { status: 400, body } });
		expect(error.description).toContain('it can never be sent');
		expect(error.description).not.toContain('continue by hand');
	});

	it('a service that says it is still a draft has not sent it', async () => {
		const { error } = await failed({ [SEND]: { body: DRAFT } });
		const words =
			'The draft doc_1 was created, but sending it failed: The service says that it is still a draft';
		expect(error).toMatchObject({ message: words, description: REMEDY });
	});

	it.each([
		['a draft without one of its recipients', []],
		['a draft with a recipient who has no ID', [{ email: ADA.email }]],
	])('%s is named', async (_, recipients) => {
		const { error, asked } = await failed({
			'POST /documents': { status: 201, body: { ...DRAFT, recipients } },
		});
		expect(error.message).toBe(
			'The service returned the draft without the recipient Ada@example.com',
		);
		expect(calls(asked)).toEqual(['POST /documents']);
	});
});

it('what is asked for is the content of the files, whatever their ids', () => {
	const { item } = scriptedItem({});
	const askedFor = (text: string, name = 'a.pdf', more = {}) => {
		const files = { binary: [{ name, bytes: Buffer.from(text) }] };
		return fingerprint([stepsToDocument(item, plan({ files, ...more })).asked]);
	};
	const usual = askedFor('a');
	expect(askedFor('a')).toBe(usual);
	const others = [
		askedFor('b'),
		askedFor('a', 'b.pdf'),
		askedFor('a', 'a.pdf', { fields: [] }),
		askedFor('a', 'a.pdf', { document: { title: 'U' } }),
		fingerprint([stepsToDocument(item, plan()).asked]),
	];
	expect(new Set([usual, ...others]).size).toBe(6);
});

const BESIDE = { ...BOX, pageNumber: 2 };

it.each<[string, Partial<DocumentPlan>, Partial<DocumentPlan>]>([
	['others', {}, { fields: [{ recipient: 0, ...BESIDE }] }],
	['none', {}, { fields: [] }],
	['others of nobody', { fields: [BOX] }, { fields: [BESIDE] }],
])(
	'a draft whose fields were corrected is never sent, and named: to %s',
	async (_, first, corrected) => {
		const changed: Changed = { [SEND]: refusal(403, 'forbidden') };
		const { item, asked, hints } = await failed(changed, plan(first));
		delete changed[SEND];
		changed['POST /documents'] = { status: 201, body: { ...DRAFT, id: 'doc_2' } };
		const sent = { ...DRAFT, id: 'doc_2', status: 'in_progress' };
		Object.assign(changed, {
			'GET /documents/doc_1': { body: DRAFT },
			'PUT /documents/doc_2/fields': { body: FIELDS },
			'POST /documents/doc_2/send': { body: sent },
		});
		asked.length = 0;
		await expect(create(item, plan(corrected))).resolves.toMatchObject(sent);
		expect(calls(asked)).not.toContain(SEND);
		expect(hints).toEqual([expect.stringContaining('which is never sent: doc_1.')]);
	},
);

it('fields that may come late are placed again at once in a draft of this run only', async () => {
	const clock = new VirtualClock();
	Object.assign(client.settings, { clock, lateEffectMs: 65_000 });
	const changed: Changed = { [PLACE]: { status: 502, body: {} } };
	const { item } = scriptedItem({}, service(changed));
	const begun = clock.now();
	await expect(clock.run(create(item))).rejects.toThrow('placing its fields failed');
	expect(clock.now() - begun).toBeLessThan(1_000);
	await expect(clock.run(create(item))).rejects.toThrow('placing its fields failed');
	expect(clock.now() - begun).toBeGreaterThanOrEqual(65_000);
});
