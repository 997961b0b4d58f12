import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { PAGE_SIZE, type PageQuery } from '../schemas/lists';
import type { Sequenced } from '../state/entities';
import type { Ledger } from '../state/ledger';
import type { Mode } from '../state/vocabulary';
import { invalid } from '../http/errors';

/**
 * Cursors hold the sequence number of the last object of a page. They are signed for the list they
 * belong to, so that a made-up cursor, or that of another list or mode, is refused instead of
 * answered with something.
 */
export class Cursors {
	private readonly secret = randomBytes(32);

	write(list: string, sequence: number): string {
		const position = sequence.toString(36);
		return Buffer.from(`${position}.${this.sign(list, position)}`).toString('base64url');
	}

	/** @throws validation_error on `cursor` */
	read(list: string, cursor: string): number {
		const [position = '', signature = ''] = Buffer.from(cursor, 'base64url')
			.toString('latin1')
			.split('.');
		const given = Buffer.from(signature, 'latin1');
		const right = Buffer.from(this.sign(list, position), 'latin1');
		if (given.length !== right.length || !timingSafeEqual(given, right)) {
			throw invalid('cursor', 'must be the next_cursor of an earlier answer');
		}
		return parseInt(position, 36);
	}

	private sign(list: string, position: string): string {
		return createHmac('sha256', this.secret)
			.update(`${list} ${position}`)
			.digest('base64url')
			.slice(0, 22);
	}
}

interface Page<W> {
	data: W[];
	has_more: boolean;
	next_cursor: string | null;
}

/**
 * One page of the objects of a mode, newest first, that `wanted` lets through; `name` is that of
 * the list.
 */
export function readPage<T extends Sequenced & { mode: Mode }, W>(
	cursors: Cursors,
	ledger: Ledger<T>,
	list: {
		name: string;
		mode: Mode;
		query: PageQuery;
		wanted: (object: T) => boolean;
		wire: (object: T) => W;
	},
): Page<W> {
	const name = `${list.name} ${list.mode}`;
	const { limit = PAGE_SIZE, cursor } = list.query;
	const found: T[] = [];
	for (const object of ledger.newestFirst(
		list.mode,
		cursor === undefined ? undefined : cursors.read(name, cursor),
	)) {
		if (!list.wanted(object)) continue;
		found.push(object);
		if (found.length > limit) break;
	}
	const page = found.slice(0, limit);
	const last = page.at(-1);
	const more = found.length > limit && last !== undefined;
	return {
		data: page.map(list.wire),
		has_more: more,
		next_cursor: more ? cursors.write(name, last.sequence) : null,
	};
}
