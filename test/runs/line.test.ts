import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { client } from '../../nodes/ESign/client';
import { lineOf, lines, type Line, type Owner } from '../../nodes/ESign/runs/line';

const NOW = Date.parse('2026-11-23T12:00:00Z');

/** The line of an execution of which n8n has saved this. */
function line(saved: object | null | undefined, mode = 'retry', workflow = 'W'): Line {
	const runExecutionData = saved && { resultData: { runData: {} }, ...saved };
	const context = { getMode: () => mode, getContext: () => ({}), getWorkflow: () => ({ id: workflow }) };
	return lineOf({ ...context, ...(saved !== undefined && { runExecutionData }) } as unknown as IExecuteFunctions);
}

const ran = (runData: Record<string, Array<{ startTime: number }>>) => ({ resultData: { runData } });
const A7 = ran({ A: [{ startTime: 7 }] });

beforeEach(() => jest.spyOn(client, 'now').mockReturnValue(NOW));
afterEach(() => jest.restoreAllMocks());

it.each<[string, object, number]>([
	['when n8n began it', { ...A7, executionData: { runtimeData: { establishedAt: 5 } } }, 5],
	['its first node, in whatever order they are saved', ran({ B: [{ startTime: 9 }], A: [{ startTime: 8 }] }), 8],
	['its first node, where n8n noted nothing else', { ...A7, executionData: {} }, 7],
])('Retries of one execution that knows no line share %s', (_, saved, beganAt) => {
	expect(line(saved)).toMatchObject({ beganAt, ids: [], drafts: [], unfinished: [] });
	expect(line(saved).id).toBe(line(saved).id);
	expect(line(saved).id).not.toBe(line(saved, 'retry', 'another workflow').id);
});

it.each([
	['a first execution', A7, 'trigger'],
	['a retry of one of which nothing was saved', {}, 'retry'],
	['an execution without data', null, 'retry'],
	['an n8n that gives nodes no data', undefined, 'retry'],
])('%s begins a line of its own', (_, saved, mode) => {
	expect(line(saved, mode)).toMatchObject({ beganAt: NOW });
	expect(line(saved, mode).id).not.toBe(line(saved, mode).id);
});

describe('What an item has put out', () => {
	const T = { item: 'mine', run: 'R', index: 0, asked: 'T' };
	const put = (mode: string, saved: object, item: string, ...output: object[]) => {
		const context = { getMode: () => mode, getContext: () => saved } as unknown as IExecuteFunctions;
		lines.own(context, item, output as INodeExecutionData[]);
		return lineOf(context);
	};

	it('is its own, once, whatever else is done with it', () => {
		const own = { eSign: line({}) };
		for (const item of ['mine', 'other']) put('retry', own, item, { json: { id: 'doc_own' } }, { json: { id: 7 } });
		expect([own.eSign.ids, lines.ownerById.get('doc_own')]).toEqual([['doc_own'], { item: 'mine' }]);
		expect(['mine', 'other'].map((item) => lines.isFor({ item }, 'doc_own'))).toEqual([true, false]);
	});

	it.each([
		['trigger', 'doc_first', 'draft', [['doc_first', { ...T, isOfRetry: false }]]],
		['retry', 'doc_second', 'draft', [['doc_second', { ...T, isOfRetry: true }]]],
		['retry', 'doc_sent', 'in_progress', []],
		['retry', 'doc_of_nobody', 'draft', []],
	])('is a draft of a %s until it is sent: %s', (mode, id, status, drafts) => {
		if (id !== 'doc_of_nobody') lines.ownerById.set(id, T);
		const saved = { eSign: line({}) };
		const after = (item: string, json: object) => put(mode, saved, item, { json }).drafts;
		for (let again = 0; again < 2; again++) expect(after('mine', { id, status })).toEqual(drafts);
		// Others have changed it, have sent another one, and the maker has found it out.
		expect(after('other', { id, status: 'draft' })).toEqual(drafts);
		expect(after('other', { id: 'doc_other', status: 'in_progress' })).toEqual(drafts);
		expect(after('mine', { id, status: 'in_progress' })).toEqual(drafts);
		expect(after('sender', { id, status: 'in_progress' })).toEqual([]);
	});

	it('may be that of another round, or of this place, which has asked for the same, as this process or the execution knows', () => {
		lines.ownerById.set('doc_round', T);
		const drafts: Line['drafts'] = [
			['doc_saved', { ...T, run: 'S' }],
			['doc_other', { ...T, asked: 'U' }],
		];
		const of = (owner: Owner) =>
			lines.roundsOf(owner, { ...line({}), drafts }).filter((id) => /round|saved|other/.test(id));
		expect(of({ ...T, run: 'Q' })).toEqual(['doc_saved', 'doc_round']);
		expect(of(T)).toEqual(['doc_saved', 'doc_round']);
		expect(of({ ...T, index: 1 })).toEqual(['doc_saved']);
		expect(of({ item: 'mine', run: 'Q' })).toEqual([]);
	});
});
