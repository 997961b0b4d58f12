import { field, loadScripts, type Plan } from './scripts';

const page = loadScripts();
const ADA = { key: 1, name: 'Ada', email: 'ada@example.com' };
const BO = { key: 2, name: '', email: 'bo@example.com' };
const START: Plan = { recipients: [ADA, BO], fields: [field(10, { recipient: 1 })] };
const moved = (plan: Plan, xNorm: number) => page.withField(plan, 10, { xNorm });
const left = (plan: Plan) => plan.fields[0]?.xNorm;

describe('Undo', () => {
	it('takes back one change after the other, and redo brings them back', () => {
		const store = page.createStore(START);
		store.change(moved(store.plan, 0.2));
		store.change(moved(store.plan, 0.3));
		store.undo();
		expect(left(store.plan)).toBe(0.2);
		store.undo();
		store.undo();
		expect(store.plan).toBe(START);
		store.redo();
		store.redo();
		store.redo();
		expect(left(store.plan)).toBe(0.3);
	});

	it('takes a row of key presses back at once, until another field was selected', () => {
		const store = page.createStore(START);
		for (const x of [0.2, 0.3, 0.4]) store.change(moved(store.plan, x), 'keys 10');
		store.select(10);
		store.change(moved(store.plan, 0.5), 'keys 10');
		store.undo();
		expect(left(store.plan)).toBe(0.4);
		store.undo();
		expect(store.plan).toBe(START);
	});

	it('knows a whole drag as one change, and nothing of one that was broken off', () => {
		const store = page.createStore(START);
		for (const x of [0.2, 0.3]) store.preview(moved(store.plan, x));
		expect(store.dragging).toBe(true);
		store.revert();
		expect([store.plan, store.canUndo, store.dragging]).toEqual([START, false, false]);
		store.preview(moved(store.plan, 0.3));
		store.change(moved(store.plan, 0.35));
		store.undo();
		expect(store.plan).toBe(START);
	});

	it('forgets what was undone once something else is done', () => {
		const store = page.createStore(START);
		store.change(moved(store.plan, 0.2));
		store.undo();
		store.change(moved(store.plan, 0.7));
		store.redo();
		expect(left(store.plan)).toBe(0.7);
	});

	it('leaves nothing selected that is gone', () => {
		const store = page.createStore(START);
		store.select(10);
		store.change({ ...START, fields: [] });
		expect(store.selected).toBeUndefined();
	});
});

describe('A recipient who is removed', () => {
	it('leaves the fields behind, with nobody to fill them', () => {
		const plan = page.withoutRecipient(START, 1);
		expect(plan.recipients).toEqual([BO]);
		expect(plan.fields[0]?.recipient).toBeNull();
	});
});

describe('Advice', () => {
	const adviceOn = (changes: Partial<Plan>, pages = 3) => [
		...page.adviceOn({ ...START, ...changes }, pages),
	];

	it('is not given where all is well, about people without fields, or about pages before a file is open', () => {
		expect(adviceOn({})).toEqual([]);
		expect(adviceOn({ fields: [field(10, { recipient: 1, pageNumber: 4 })] }, 0)).toEqual([]);
	});

	it.each<[string, Partial<Plan>, string]>([
		[
			'a signer without a signature',
			{ fields: [field(10, { recipient: 2, type: 'TEXT' })] },
			'bo@example.com (2) has no Signature field. Every signer needs one before the document is sent.',
		],
		['fields for nobody', { fields: [field(10)] }, '1 field has no recipient.'],
		[
			'a page that is not there',
			{ fields: [field(10, { recipient: 1, pageNumber: 4 })] },
			'1 field is on a page that the open file does not have.',
		],
		[
			'boxes on each other',
			{ fields: [field(10, { recipient: 1 }), field(11, { recipient: 1 })] },
			'1 pair of fields overlaps.',
		],
		[
			'an email twice',
			{ recipients: [ADA, { ...BO, email: 'ADA@example.com ' }] },
			'ADA@example.com (2) has the email of recipient 1. Every recipient needs an own one.',
		],
		[
			'a bad email',
			{ recipients: [{ ...ADA, email: 'ada' }] },
			'The email of Ada (1) is not an email address.',
		],
		[
			'nothing to choose from',
			{
				fields: [
					field(10, { recipient: 1 }),
					field(11, { recipient: 1, type: 'DROPDOWN', yNorm: 0.1 }),
				],
			},
			'1 field to choose from has no Options to Choose From.',
		],
	])('is given about %s', (_what, changes, message) => {
		expect(adviceOn(changes)).toEqual([message]);
	});
});
