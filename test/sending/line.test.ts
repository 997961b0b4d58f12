import type { IExecuteFunctions } from 'n8n-workflow';
import { client } from '../../nodes/ESign/client';
import { lineOf, type Line } from '../../nodes/ESign/sending/known/line';

const NOW = Date.parse('2026-11-23T12:00:00Z');

/** The line of an execution of which n8n has saved this. */
function line(saved: object | null | undefined, mode = 'retry', workflow = 'W'): Line {
	const runExecutionData = saved && { resultData: { runData: {} }, ...saved };
	const context = {
		getMode: () => mode,
		getWorkflow: () => ({ id: workflow }),
		...(saved !== undefined && { runExecutionData }),
	};
	return lineOf(context as unknown as IExecuteFunctions);
}

const ran = (runData: Record<string, Array<{ startTime: number }>>) => ({
	resultData: { runData },
});

/** Later than what n8n has recovered, which is in seconds. */
const EARLY = 2e11;
const A7 = ran({ A: [{ startTime: EARLY + 7 }] });
const RECOVERED = ran({ A: [{ startTime: EARLY / 1000 }] });
const PARTLY = ran({ A: [{ startTime: EARLY + 7 }], B: [{ startTime: EARLY / 1000 }] });
const noted = (source: string) => ({
	executionData: { runtimeData: { establishedAt: EARLY + 5, source } },
});

beforeEach(() => jest.spyOn(client, 'moment').mockReturnValue({ at: 0, wallClock: NOW }));
afterEach(() => jest.restoreAllMocks());

it.each<[string, object, number]>([
	['when n8n began it', { ...A7, ...noted('webhook') }, EARLY + 5],
	[
		'its first node where a retry has noted its own beginning',
		{ ...ran({ A: [{ startTime: EARLY + 4 }] }), ...noted('retry') },
		EARLY + 4,
	],
	[
		'its first node, in whatever order they are saved',
		ran({ B: [{ startTime: EARLY + 9 }], A: [{ startTime: EARLY + 8 }] }),
		EARLY + 8,
	],
	['its first node, where n8n noted nothing else', { ...A7, executionData: {} }, EARLY + 7],
])('An execution and its retries share %s', (_, saved, beganAt) => {
	expect(line(saved).beganAt).toBe(beganAt);
	expect(line(saved, 'trigger')).toEqual(line(saved));
	expect(line(saved, 'retry', 'another workflow').id).not.toBe(line(saved).id);
});

it.each([
	['a first execution of which n8n has noted nothing', {}, 'trigger', NOW],
	['a first execution of an n8n that gives nodes no data', undefined, 'trigger', NOW],
	['a retry of one of which nothing was saved', {}, 'retry', undefined],
	['a retry of one that n8n has recovered', RECOVERED, 'retry', undefined],
	['a retry of one of which it has recovered a node', PARTLY, 'retry', undefined],
	['a retry that has run all nodes itself', { ...A7, ...noted('retry') }, 'retry', undefined],
	['a retry without data', null, 'retry', undefined],
])('%s begins a line of its own', (_, saved, mode, beganAt) => {
	expect(line(saved, mode).beganAt).toBe(beganAt);
	expect(line(saved, mode).id).not.toBe(line(saved, mode).id);
});
