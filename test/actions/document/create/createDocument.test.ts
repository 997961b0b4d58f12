import type { IDataObject } from 'n8n-workflow';
import {
	askedBy,
	begunBy,
	createDocument,
	type DocumentPlan,
} from '../../../../nodes/ESign/actions/document/create/createDocument';
import type { Item } from '../../../../nodes/ESign/operation/parameters';
import { scriptedItem, type Answer, type Asked } from '../../support/scriptedItem';

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
	fields: [{ recipient: 0, input: BOX }],
	send: true,
	...more,
});

/** The service as it is when all goes well; `changed` answers some requests in another way. */
function service(changed: Record<string, Answer> = {}) {
	const usual: Record<string, Answer> = {
		'POST /documents': { status: 201, body: DRAFT },
		[PLACE]: { body: FIELDS },
		[SEND]: { body: { ...DRAFT, status: 'in_progress' } },
		'GET /documents/doc_1': { body: { ...DRAFT, status: 'cancelled' } },
		'POST /files': { status: 201, body: { id: 'file_9' } },
	};
	return ({ method, path }: Asked) =>
		changed[`${method} ${path}`] ?? usual[`${method} ${path}`] ?? { body: {} };
}

const create = async (item: Item, asked: DocumentPlan) =>
	await createDocument(item, asked, askedBy(asked));
const begun = async (item: Item, asked: DocumentPlan) => await begunBy(item, askedBy(asked));
const refusal = (status: number, code: string) => ({
	status,
	body: { error: code, message: code },
});
const calls = (asked: Asked[]) => asked.map(({ method, path }) => `${method} ${path}`);
const REMEDY =
	'The draft is kept, and a retry continues with it. To continue by hand, use Update Fields and Send instead of creating another draft.';

describe('A document is made in as few requests as the service allows', () => {
	it.each<[string, Partial<DocumentPlan>, string[]]>([
		['draft, fields, send', {}, ALL],
		[
			'without fields: draft and send',
			{ fields: [] },
			['POST /documents', 'POST /documents/doc_1/send'],
		],
		['a draft with fields of somebody', { send: false }, ALL.slice(0, 2)],
		[
			'a draft with fields of nobody',
			{ send: false, fields: [{ input: BOX }] },
			['POST /documents'],
		],
		['a draft without fields', { send: false, fields: [] }, ['POST /documents']],
		[
			'a file is uploaded first',
			{ files: { binary: [{ name: 'a.pdf', mimeType: 'x', bytes: Buffer.from('a') }] } },
			['POST /files', ...ALL],
		],
	])('%s', async (_, more, expected) => {
		const { item, asked } = scriptedItem({}, service());
		await create(item, plan(more));
		expect(calls(asked)).toEqual(expected);
		const draft = asked.find(({ path }) => path === '/documents');
		expect(draft?.body.fields).toEqual(more.fields?.length ? [BOX] : undefined);
	});

	it('with what was asked for, and comes out in its last state, with its files and its fields', async () => {
		const { item, asked } = scriptedItem({}, service());
		const document = await create(item, plan());
		expect(asked[0]?.body).toEqual({ files: ['file_1'], title: 'T', recipients: [ADA] });
		expect(asked[1]?.body).toEqual({ fields: [{ ...BOX, recipientId: 'rcp_1' }] });
		expect(document).toEqual({ ...DRAFT, status: 'in_progress', file_ids: ['file_1'], ...FIELDS });
	});

	it('fields of nobody go with the draft, also when it is sent', async () => {
		const { item, asked } = scriptedItem({}, service());
		await create(item, plan({ fields: [{ input: BOX }] }));
		expect(asked[0]?.body.fields).toEqual([BOX]);
		expect(calls(asked)).toEqual([ALL[0], ALL[2]]);
	});
});

type Changed = Parameters<typeof service>[0];

/** What has come of a document that could not be made, where the service answers so. */
async function failed(changed: Changed, wanted = plan()) {
	const { item, asked, log } = scriptedItem({}, service(changed));
	const error = (await create(item, wanted).catch((one: unknown) => one)) as Error & IDataObject;
	return { item, asked, error, log };
}

describe('A step that fails after the draft', () => {
	it.each([
		[PLACE, 'placing its fields'],
		[SEND, 'sending it'],
	])('%s: the error names the draft, the step and how to go on', async (endpoint, step) => {
		const { error, item, log } = await failed({ [endpoint]: refusal(403, 'forbidden') });
		expect(error.message).toContain(`The draft doc_1 was created, but ${step} failed: `);
		expect(error.description).toMatch(new RegExp(`\\S ${REMEDY}$`));
		expect(log).toEqual([]);
		expect(error.context).toMatchObject({ documentId: 'doc_1' });
		await expect(begun(item, plan())).resolves.toEqual(['doc_1']);
	});

	it('is gone on with from the draft by the next try; fields that are placed are not placed again', async () => {
		const changed: Changed = { [SEND]: refusal(403, 'forbidden') };
		const { item, asked } = await failed(changed);
		delete changed[SEND];
		asked.length = 0;
		await expect(create(item, plan())).resolves.toMatchObject({ status: 'in_progress', ...FIELDS });
		expect(calls(asked)).toEqual([SEND]);
		await expect(begun(item, plan())).resolves.toEqual([]);
	});

	it.each([PLACE, SEND])(
		'%s, refused: a draft that somebody has gone on with meanwhile comes out as it is',
		async (at) => {
			const changed = { [at]: refusal(403, 'forbidden') };
			const { item } = await failed(changed);
			changed[at] = refusal(409, 'document_not_draft');
			await expect(create(item, plan())).resolves.toMatchObject({ status: 'cancelled' });
		},
	);

	it.each<[string, string, Answer[]]>([
		['is new', PLACE, [refusal(409, 'document_not_draft')]],
		['is new', SEND, [refusal(409, 'document_not_draft')]],
		[
			'is refused for something else',
			PLACE,
			[refusal(403, 'forbidden'), refusal(403, 'forbidden')],
		],
		['is still a draft', PLACE, [refusal(403, 'forbidden'), refusal(409, 'field_out_of_bounds')]],
	])('a draft that %s is not taken for done: %s', async (why, at, answers) => {
		const status = why === 'is still a draft' ? 'draft' : 'in_progress';
		const changed: Changed = { 'GET /documents/doc_1': { body: { ...DRAFT, status } } };
		const { item } = scriptedItem({}, service(changed));
		for (const answer of answers) {
			changed[at] = answer;
			await expect(create(item, plan())).rejects.toThrow('The draft doc_1 was created, but ');
		}
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
			await expect(create(item, plan())).rejects.toThrow('The draft doc_1 was created, but ');
			expect(calls(asked).at(-1)).toBe(at);
			// n8n saves no error of such an execution.
			expect(log).toEqual([expect.stringMatching(/^eSign: The draft doc_1 was created, but /)]);
		},
	);

	it('a service that says it is still a draft has not sent it', async () => {
		const { error } = await failed({ [SEND]: { body: DRAFT } });
		const words =
			'The draft doc_1 was created, but sending it failed: The service says that it is still a draft';
		expect(error).toMatchObject({ message: words, description: REMEDY });
	});

	it('a draft without one of its recipients is told', async () => {
		const { error, asked } = await failed({
			'POST /documents': { status: 201, body: { ...DRAFT, recipients: [] } },
		});
		expect(error.message).toBe(
			'The service returned the draft without the recipient Ada@example.com',
		);
		expect(calls(asked)).toEqual(['POST /documents']);
	});
});

it('what is asked for is the content of the files, whatever their ids', async () => {
	const withFile = (text: string, name = 'a.pdf') =>
		plan({ files: { binary: [{ name, mimeType: 'x', bytes: Buffer.from(text) }] } });
	const { item } = await failed({ [SEND]: refusal(403, 'forbidden') }, withFile('a'));
	await expect(begun(item, withFile('a'))).resolves.toEqual(['doc_1']);
	await expect(begun(item, withFile('b'))).resolves.toEqual([]);
	await expect(begun(item, withFile('a', 'b.pdf'))).resolves.toEqual([]);
	await expect(begun(item, plan())).resolves.toEqual([]);
	// It is certainly no more than a draft.
	await expect(begun(item, { ...withFile('a'), fields: [] })).resolves.toEqual(['doc_1']);
});

it.each<[string, Partial<DocumentPlan>]>([
	['other fields', { fields: [{ recipient: 0, input: { ...BOX, pageNumber: 2 } }] }],
	['a draft', { send: false }],
])('a draft whose send is in doubt is not gone on with by whoever wants %s', async (_, other) => {
	const fault = { status: 500, body: {} };
	const { item } = await failed({ [SEND]: fault, 'GET /documents/doc_1': fault });
	await expect(begun(item, plan())).resolves.toEqual(['doc_1']);
	await expect(begun(item, plan(other))).resolves.toEqual([]);
});

const BESIDE = { ...BOX, pageNumber: 2 };

it.each<[string, Partial<DocumentPlan>, Partial<DocumentPlan>, unknown]>([
	['others', {}, { fields: [{ recipient: 0, input: BESIDE }] }, [BESIDE]],
	['none', {}, { fields: [] }, []],
	['others of nobody', { fields: [{ input: BOX }] }, { fields: [{ input: BESIDE }] }, [BESIDE]],
])(
	'a draft whose send was refused gets the fields that were corrected: %s',
	async (_, first, corrected, fields) => {
		const changed: Changed = { [SEND]: refusal(403, 'forbidden') };
		const { item, asked } = await failed(changed, plan(first));
		delete changed[SEND];
		asked.length = 0;
		await create(item, plan(corrected));
		expect(calls(asked)).toEqual([PLACE, SEND]);
		expect(asked[0]?.body).toMatchObject({ fields });
	},
);

it('a draft whose correction had no answer gets its fields once more, also as they were before', async () => {
	const changed: Changed = { [SEND]: refusal(403, 'forbidden') };
	const { item, asked } = await failed(changed);
	changed[PLACE] = { status: 500, body: {} };
	await create(item, plan({ fields: [{ recipient: 0, input: BESIDE }] })).catch(() => undefined);
	delete changed[PLACE];
	delete changed[SEND];
	asked.length = 0;
	await create(item, plan());
	expect(calls(asked)).toEqual([PLACE, SEND]);
});
