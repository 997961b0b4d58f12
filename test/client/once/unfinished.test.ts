import { CUT_SHORT } from '../../../nodes/ESign/client/call/outcome';
import { looksAt } from '../../../nodes/ESign/client/once/looks';
import {
	UnfinishedRequests,
	type Unfinished,
} from '../../../nodes/ESign/client/once/unfinished/unfinished';
import type { ItemTry } from '../../../nodes/ESign/client/run';

const MINUTE = 60_000;
const NOON = Date.parse('2026-11-23T12:00:00Z');

const by = (item: string, more: Partial<ItemTry> = {}): ItemTry => ({
	line: 'L',
	item,
	raw: 'raw',
	ids: [],
	saved: [],
	...more,
});

let requests = 0;

/**
 * A request of an item: what creates something that others could mistake, unless `more` says
 * otherwise.
 */
function request(
	itemTry: ItemTry | undefined,
	more: Partial<Unfinished> = {},
	at = NOON,
): Unfinished {
	const { item, run, raw } = itemTry ?? {};
	return {
		id: `request ${requests++}`,
		workspaceMode: 'W',
		endpoint: 'POST /templates/{id}/send',
		asked: 'A',
		request: {},
		alike: 'T',
		items: item === undefined ? [] : [item],
		run,
		raw,
		firstSent: { at, wallClock: at },
		lastSentAt: at,
		certainAt: at,
		times: 0,
		outcome: CUT_SHORT,
		isOpen: false,
		...more,
	};
}

const REMINDER = { endpoint: 'POST /documents/{id}/remind', alike: undefined } as const;

/** Sent by an item, whose answer was lost at noon. */
function lost(itemTry: ItemTry | undefined, more: Partial<Unfinished> = {}) {
	const store = new UnfinishedRequests();
	const one = request(itemTry, { isOpen: true, certainAt: NOON + MINUTE, ...more });
	store.keep(one, itemTry);
	store.leave(one, itemTry, NOON);
	return { store, one };
}

describe('A request whose answer was lost', () => {
	it.each<[string, string, Partial<Unfinished>, number, boolean]>([
		['the same item', 'one', {}, 10_000 * MINUTE, true],
		['the same item, whose expression gives another value', 'one', { asked: 'B' }, MINUTE, true],
		['the same item, which was corrected', 'one', { asked: 'B', raw: 'corrected' }, MINUTE, false],
		[
			'the same item at another endpoint',
			'one',
			{ asked: 'B', endpoint: 'POST /webhooks' },
			MINUTE,
			false,
		],
		['the same item in another workspace', 'one', { workspaceMode: 'V' }, MINUTE, false],
		['anybody else within ten minutes', 'two', {}, 10 * MINUTE - 1, true],
		['anybody else after ten minutes', 'two', {}, 10 * MINUTE, false],
		['anybody else who asks for something else', 'two', { asked: 'B' }, MINUTE, false],
	])('and %s: is taken over or not', (_, item, asked, after, isTaken) => {
		const { store, one } = lost(by('one'));
		const now = request(by(item), asked, NOON + after);
		expect(store.fitting(now, by(item))).toEqual(isTaken ? [one] : []);
		expect(store.take(now, by(item))).toBe(isTaken ? one : undefined);
		if (isTaken) expect(one).toMatchObject({ items: [item], isOpen: true });
	});

	it('and has left a draft that an item of this execution has put out since: is not taken over by another', () => {
		const { store } = lost(by('one'), { draft: { id: 'doc_1' } });
		const now = request(by('two'));
		expect(store.fitting(now, by('two', { ids: ['doc_1'] }))).toEqual([]);
		expect(store.fitting(now, by('two', { ids: ['doc_2'] }))).toHaveLength(1);
	});

	it.each<[string, Partial<Unfinished>, string, string, boolean]>([
		['one that creates something', {}, 'run 0', 'run 0', false],
		['one that creates something, in a later run', {}, 'run 0', 'run 1', true],
		['a reminder, which is nobody’s to send again', REMINDER, 'run 0', 'run 0', true],
	])('and an equal row, %s: is taken over or not', (_, what, run, next, isTaken) => {
		const { store, one } = lost(by('one', { run }), what);
		const equal = by('two', { run: next });
		expect(store.fitting(request(equal, what), equal)).toEqual(isTaken ? [one] : []);
		expect(store.take(request(equal, what), equal)).toBe(isTaken ? one : undefined);
		// What a later run has taken over is not taken over by an equal row of that run.
		store.leave(one, equal, NOON);
		const third = by('three', { run: next });
		expect(store.fitting(request(third, what), third)).toEqual(what === REMINDER ? [one] : []);
	});

	it.each<[string, Partial<Unfinished>, boolean]>([
		['what creates something', {}, true],
		['what sends a draft', { endpoint: 'POST /documents/{id}/send', alike: undefined }, true],
		['not a reminder, of which the next round is another', REMINDER, false],
	])('is taken over in the execution that holds it, whenever that is: %s', (_, what, isTaken) => {
		const saved: ItemTry['saved'] = [];
		const { store, one } = lost(by('one', { run: 'run 0', saved }), what);
		const back = by('two', { run: 'run 1', saved });
		expect(store.take(request(back, what, NOON + 60 * MINUTE), back)).toBe(
			isTaken ? one : undefined,
		);
	});

	it('is not taken over by another item of its execution once another line has found what it did', () => {
		const saved: ItemTry['saved'] = [];
		const { store, one } = lost(by('one', { run: 'run 0', saved }));
		const elsewhere = by('three', { line: 'another' });
		store.take(request(elsewhere), elsewhere);
		Object.assign(one, { isOpen: false, found: 'doc_1' });
		store.leave(one, elsewhere, NOON);
		saved.push({ ...one, isOpen: true, found: undefined });
		const next = by('two', { run: 'run 1', saved });
		expect(store.take(request(next, {}, NOON + 60 * MINUTE), next)).toBeUndefined();
	});

	it('is not taken over by a third line once another has found what it did', () => {
		const { store } = lost(by('one'), { found: 'doc_1' });
		expect(store.take(request(by('two')), by('two'))).toBeUndefined();
	});

	it('is not taken over while somebody is at it, but waited for', () => {
		const { store, one } = lost(by('one'));
		const now = request(by('two'));
		store.take(now, by('two'));
		expect(store.take(now, by('three'))).toBeUndefined();
		expect(store.fitting(now, by('three'))).toEqual([one]);
	});

	it('is taken over by its own item first', () => {
		const { store } = lost(by('one'));
		const own = request(by('two'), { isOpen: true });
		store.keep(own, by('two'));
		store.leave(own, by('two'), NOON);
		expect(store.take(request(by('two')), by('two'))).toBe(own);
	});

	it('of a reminder stays that of all who asked for it', () => {
		const { store, one } = lost(by('one'), REMINDER);
		store.take(request(by('two'), REMINDER), by('two'));
		expect(one.items).toEqual(['one', 'two']);
		store.leave(one, by('two'), NOON);
		const later = request(by('one'), REMINDER, NOON + 20 * MINUTE);
		expect(store.take({ ...later, asked: 'B' }, by('one'))).toBeUndefined();
		expect(store.take(later, by('one'))).toBe(one);
		expect(one.items).toEqual(['one', 'two']);
	});

	it('of a hook is nobody’s own: it is anybody’s for ten minutes', () => {
		const { store, one } = lost(undefined);
		expect(store.take(request(undefined, {}, NOON + 10 * MINUTE), undefined)).toBeUndefined();
		expect(store.take(request(undefined), undefined)).toBe(one);
	});

	it('is through when it is not open any more', () => {
		const own = by('one');
		const { store, one } = lost(own);
		expect(own.saved).toEqual([one]);
		store.take(request(own), own);
		one.isOpen = false;
		store.leave(one, own, NOON);
		expect(own.saved).toEqual([]);
		expect(store.fitting(request(own), own)).toEqual([]);
	});
});

describe('A draft', () => {
	const asked = { endpoint: 'POST /documents', alike: 'A', whole: 'A1' } as const;

	it.each<[boolean, string, boolean]>([
		[false, 'A1', true],
		[false, 'A2', true],
		[true, 'A1', true],
		[true, 'A2', false],
	])(
		'that is sent: %s, is gone on with by whoever asks for it as %s: %s',
		(isSent, whole, isTaken) => {
			const { store, one } = lost(by('one'), { ...asked, draft: { id: 'doc_1', isSent } });
			const taken = store.take(request(by('two'), { ...asked, whole }), by('two'));
			expect(taken).toBe(isTaken ? one : undefined);
			if (isTaken) expect(one.whole).toBe(whole);
		},
	);
});

describe('What is saved with an execution', () => {
	const saved = () => [request(by('one'), { id: 'X', isOpen: true })];

	it('is known to another process', () => {
		const own = by('one', { saved: saved() });
		expect(new UnfinishedRequests().take(request(own), own)).toMatchObject({
			id: 'X',
			items: ['one'],
		});
		expect(own.saved).toHaveLength(1);
	});

	it.each<[string, string, Partial<Unfinished>, boolean]>([
		['the same line has ended', 'L', { found: 'doc_1' }, false],
		['another line has ended without finding anything', 'M', {}, false],
		['another line has found something for', 'M', { found: 'doc_1' }, true],
		['another line has found what is more than', 'M', { found: 'doc_1', whole: 'more' }, false],
	])('is gone on with where %s it: with what was found', (_, line, end, isKnown) => {
		const store = new UnfinishedRequests();
		const taker = by('two', { line });
		const one = request(taker, { id: 'X', ...end });
		store.keep(one, taker);
		store.leave(one, taker, NOON);
		const own = by('one', { saved: saved() });
		expect(store.take(request(own), own)).toEqual(
			isKnown ? expect.objectContaining({ id: 'X', ...end }) : undefined,
		);
		expect(own.saved).toHaveLength(isKnown ? 1 : 0);
	});
});

describe('What an item has left', () => {
	it.each<[string, Partial<Unfinished>, boolean]>([
		['is what asked for something else', { asked: 'B', raw: 'corrected' }, true],
		['is not what asks for the same', {}, false],
		[
			'is not what another item has asked for',
			{ asked: 'B', raw: 'corrected', items: ['two'] },
			false,
		],
		['is not in another workspace', { asked: 'B', raw: 'corrected', workspaceMode: 'V' }, false],
	])('%s', (_, now, isLeft) => {
		const { store, one } = lost(by('one'));
		expect(store.leftBy(request(by('one'), now), by('one'))).toEqual(isLeft ? [one] : []);
	});

	it('is not what somebody is at', () => {
		const { store } = lost(by('one'));
		store.take(request(by('one')), by('one'));
		expect(store.leftBy(request(by('one'), { asked: 'B', raw: 'corrected' }), by('one'))).toEqual(
			[],
		);
	});
});

describe('What could be mistaken for a request', () => {
	it.each<[string, Partial<Unfinished>, number, boolean]>([
		['one that creates what looks the same', {}, NOON, true],
		['one whose effect may seem to come after it began', {}, NOON + MINUTE + 1_999, true],
		['one whose effect cannot come any more', {}, NOON + MINUTE + 2_000, false],
		['one that creates something else', { alike: 'U' }, NOON, false],
		['one in another workspace', { workspaceMode: 'V' }, NOON, false],
	])('%s', (_, more, firstSentAt, isOne) => {
		const { store, one } = lost(by('one'));
		const other = request(by('two'), more, firstSentAt);
		expect(store.mistakable(other)).toEqual(isOne ? [one] : []);
		expect(store.mistakable(one)).toEqual([]);
	});
});

it.each<[string, number, number, number[]]>([
	['all of them at once after the request', 0, 90, [2, 10, 30, 75, 90]],
	['of those that have passed only the last', 35, 90, [30, 75, 90]],
	['none after the time at which it is certain', 0, 20, [2, 10, 20]],
	['one where it is certain by now', 90, 90, [90]],
])('The looks are %s', (_, now, certainAt, expected) => {
	expect(looksAt(0, certainAt, [2, 10, 30, 75], now)).toEqual(expected);
});
