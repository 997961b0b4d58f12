import type { IExecuteFunctions } from 'n8n-workflow';
import { client } from '../../nodes/ESign/client';
import { lineOf, lines, type Line } from '../../nodes/ESign/sending/line';

const NOW = Date.parse('2026-11-23T12:00:00Z');

/** The line of an execution of which n8n has saved this. */
function line(saved: object | null | undefined, mode = 'retry', workflow = 'W'): Line {
	const runExecutionData = saved && { resultData: { runData: {} }, ...saved };
	const context = {
		getMode: () => mode,
		getContext: () => ({}),
		getWorkflow: () => ({ id: workflow }),
	};
	return lineOf({
		...context,
		...(saved !== undefined && { runExecutionData }),
	} as unknown as IExecuteFunctions);
}

const ran = (runData: Record<string, Array<{ startTime: number }>>) => ({
	resultData: { runData },
});
/** Later than what n8n has recovered, which is in seconds. */
const EARLY = 2e11;
const A7 = ran({ A: [{ startTime: EARLY + 7 }] });
const noted = (source: string) => ({
	executionData: { runtimeData: { establishedAt: EARLY + 5, source } },
});

beforeEach(() => jest.spyOn(client, 'wallClock').mockReturnValue(NOW));
afterEach(() => jest.restoreAllMocks());

it.each<[string, object, number]>([
	['when n8n began it', { ...A7, ...noted('webhook') }, EARLY + 5],
	[
		'its first node where a retry has noted its own beginning',
		{ ...ran({ A: [{ startTime: EARLY + 4 }] }), ...noted('retry') },
		EARLY + 4,
	],
	[
		'its first node, of which n8n has recovered the second',
		ran({ A: [{ startTime: EARLY / 1000 }] }),
		EARLY,
	],
	[
		'its first node, in whatever order they are saved',
		ran({ B: [{ startTime: EARLY + 9 }], A: [{ startTime: EARLY + 8 }] }),
		EARLY + 8,
	],
	['its first node, where n8n noted nothing else', { ...A7, executionData: {} }, EARLY + 7],
])('An execution and its retries share %s, where none is saved', (_, saved, beganAt) => {
	expect(line(saved)).toMatchObject({ beganAt, ids: [], made: [], unfinished: [] });
	expect(line(saved, 'trigger').id).toBe(line(saved).id);
	// Another one that began in the same millisecond: nobody knows which of them is retried.
	expect(new Set([line(saved, 'trigger').id, line(saved).id, line(saved).id]).size).toBe(3);
	expect(line(saved).id).not.toBe(line(saved, 'retry', 'another workflow').id);
});

it.each([
	['a first execution of which n8n has noted nothing', {}, 'trigger', NOW],
	['a retry of one of which nothing was saved', {}, 'retry', undefined],
	['a retry that has run all nodes itself', { ...A7, ...noted('retry') }, 'retry', undefined],
	['an execution without data', null, 'retry', NOW],
	['an n8n that gives nodes no data', undefined, 'retry', NOW],
])('%s begins a line of its own', (_, saved, mode, beganAt) => {
	expect(line(saved, mode).beganAt).toBe(beganAt);
	expect(line(saved, mode).id).not.toBe(line(saved, mode).id);
});

it('What an item has put out is its own, once, whatever else is done with it', () => {
	const own = line({});
	for (const item of ['mine', 'other'])
		lines.own(own, item, [{ json: { id: 'doc_own' } }, { json: { id: 7 } }]);
	expect([own.ids, lines.ownerById.get('doc_own')]).toEqual([['doc_own'], { item: 'mine' }]);
	expect(['mine', 'other'].map((item) => lines.isFor({ item }, 'doc_own'))).toEqual([true, false]);
	lines.own({ ...own, made: [['doc_made', { item: 'maker' }]] }, 'sends it', [
		{ json: { id: 'doc_made' } },
	]);
	expect(lines.ownerById.get('doc_made')).toEqual({ item: 'maker' });
});
