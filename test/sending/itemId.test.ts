import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { beginRun, closeRound } from '../../nodes/ESign/sending/known/itemId';
import { keptOfNode } from '../../nodes/ESign/sending/known/kept';
import { askWithoutPauses, scriptedItem } from '../actions/support/scriptedItem';

askWithoutPauses();

const ABOUT = ['document', 'createAndSend', 'TEST'];

/** One run of the node. */
interface OneRun {
	rows: IDataObject[];
	execution?: string;
	runIndex?: number;
	/** Which rows are done when it ends; all, where left out. */
	done?: number[];
	/** Whether it ends, or fails so that n8n stops. */
	ends?: boolean;
	about?: string[];
	node?: { id?: string; name?: string };
}

/** A node whose runs are all kept with one execution and its retries. */
class Node {
	readonly context: IExecuteFunctions = scriptedItem({}).item.context;

	private readonly node = this.context.getNode();

	private flow = {};

	/** @returns the IDs of its items */
	run({ rows, execution = 'e1', runIndex = 0, done, ends = true, about, node: other }: OneRun) {
		const { context } = this;
		const node = { ...this.node, name: 'eSign', ...other };
		Object.assign(context, {
			getContext: () => this.flow,
			getNode: () => node,
			getExecutionId: () => execution,
			evaluateExpression: () => runIndex,
			getInputData: () => rows.map((json) => ({ json })),
		});
		const ids = beginRun(context, about ?? ABOUT);
		const kept = keptOfNode(context);
		for (const index of done ?? rows.keys()) kept.done[ids[index] ?? ''] = [];
		if (ends) closeRound(kept);
		return { ids };
	}

	/** n8n has saved nothing but when the execution began. */
	crash(): void {
		this.flow = {};
	}
}

const A = { n: 'A' };
const B = { n: 'B' };
const FAILED = { error: 'No', error_details: { in_doubt: true } };

let node: Node;
beforeEach(() => (node = new Node()));

it('Equal rows of one run are items of their own, whatever order their columns are in', () => {
	const rows = [{ n: 1, m: 2 }, { m: 2, n: 1 }, A];
	const { ids } = node.run({ rows });
	expect(new Set(ids).size).toBe(3);
	expect(new Node().run({ rows }).ids).not.toEqual(ids);
});

const FIRST: OneRun = { rows: [A, A, B], done: [0], ends: false };

describe('The items of another try are those of the one before it', () => {
	it.each<[string, OneRun, OneRun]>([
		['with Retry On Fail', FIRST, FIRST],
		['in the execution that is retried', FIRST, { ...FIRST, execution: 'e2' }],
		['in it, with another run index', FIRST, { ...FIRST, execution: 'e2', runIndex: 3 }],
	])('%s', (_, first, again) => {
		expect(node.run(again)).toEqual(node.run(first));
	});

	it('where the run was in a loop', () => {
		node.run({ rows: [A] });
		const second = node.run({ rows: [A], runIndex: 1, ends: false, done: [] });
		expect(node.run({ rows: [A], runIndex: 1 })).toEqual(second);
		expect(node.run({ rows: [A], runIndex: 2 }).ids).not.toEqual(second.ids);
	});
});

describe('A loop', () => {
	it('has other items in each round, also of equal rows', () => {
		const rounds = [0, 1, 2].map((runIndex) => node.run({ rows: [A], runIndex }));
		expect(new Set(rounds.flatMap(({ ids }) => ids)).size).toBe(3);
	});

	it('has other items where the run before was through, though the execution is retried', () => {
		const { ids } = node.run({ rows: [A] });
		expect(node.run({ rows: [A], execution: 'e2' }).ids).not.toEqual(ids);
	});

	it.each<[string, IDataObject]>([
		['Continue', { ...A, ...FAILED }],
		['an error output', { ...A, error: { message: 'No', in_doubt: false } }],
	])('leads back the item that has failed, as %s marks it', (_, back) => {
		const { ids } = node.run({ rows: [A, B], done: [1] });
		expect(node.run({ rows: [back], runIndex: 1 }).ids).toEqual(ids.slice(0, 1));
	});

	it.each<[string, IDataObject]>([
		['', A],
		[' with an error of its own', { ...A, error: 'No' }],
	])('has another item of an equal row%s, though the one before has failed', (_, row) => {
		const { ids } = node.run({ rows: [A], done: [] });
		expect(node.run({ rows: [row], runIndex: 1 }).ids).not.toEqual(ids);
	});

	it('leads back one of two equal rows: the one that is not done', () => {
		const { ids } = node.run({ rows: [A, A], done: [0] });
		expect(node.run({ rows: [{ ...A, ...FAILED }], runIndex: 1 }).ids).toEqual(ids.slice(1));
	});
});

it('After a crash of which nothing is saved the rounds are counted anew, by no run index', () => {
	const rounds = [0, 1].map((runIndex) => node.run({ rows: [A], runIndex }).ids);
	node.crash();
	const again = [1, 2].map((runIndex) => node.run({ rows: [A], execution: 'e2', runIndex }).ids);
	expect(again).toEqual(rounds);
});

it('A node that is made anew under its name has the same items, and one that is renamed after a crash', () => {
	const first = node.run({ rows: [A], done: [], ends: false });
	const again = { rows: [A], execution: 'e2', done: [], ends: false };
	expect(node.run({ ...again, node: { id: 'anew' } })).toEqual(first);

	node.crash();
	expect(node.run({ ...again, node: { name: 'Renamed' } })).toEqual(first);
});

it.each<[string, Partial<OneRun>]>([
	['another operation', { about: ['document', 'create', 'TEST'] }],
	['the mode of another key', { about: ['document', 'createAndSend', 'LIVE'] }],
	['another node', { node: { id: 'copy', name: 'Copy' } }],
	['other data', { rows: [B] }],
])('An item of %s is another one', (_, other) => {
	const { ids } = node.run({ rows: [A], ends: false, done: [] });
	expect(node.run({ rows: [A], ends: false, done: [], ...other }).ids).not.toEqual(ids);
});
