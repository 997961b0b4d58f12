import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sequenced } from '../state/entities';
import { invalid } from './errors';

/**
 * Cursors hold the sequence number of the last object of a page. They are signed for the list they belong to, so that a
 * made-up cursor, or that of another list or mode, is refused instead of answered with something.
 */
export class Cursors {
	private readonly secret = randomBytes(32);

	write(list: string, sequence: number): string {
		const position = sequence.toString(36);
		return Buffer.from(`${position}.${this.sign(list, position)}`).toString('base64url');
	}

	/** @throws validation_error on `cursor` */
	read(list: string, cursor: string): number {
		const [position = '', signature = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split('.');
		const given = Buffer.from(signature, 'latin1');
		const right = Buffer.from(this.sign(list, position), 'latin1');
		if (given.length !== right.length || !timingSafeEqual(given, right)) {
			throw invalid('cursor', 'must be the next_cursor of an earlier answer');
		}
		return parseInt(position, 36);
	}

	private sign(list: string, position: string): string {
		return createHmac('sha256', this.secret).update(`${list} ${position}`).digest('base64url').slice(0, 22);
	}
}

export interface Page<W> {
	data: W[];
	has_more: boolean;
	next_cursor: string | null;
}

/** One page of `objects` (newest first, already past the cursor): at most `limit` that `wanted` lets through. */
export function pageOf<T extends Sequenced, W>(
	objects: Iterable<T>,
	options: { limit: number; wanted?: (object: T) => boolean; wire: (object: T) => W; cursor: (last: T) => string },
): Page<W> {
	const found: T[] = [];
	for (const object of objects) {
		if (options.wanted && !options.wanted(object)) continue;
		found.push(object);
		if (found.length > options.limit) break;
	}
	const page = found.slice(0, options.limit);
	const last = page.at(-1);
	const more = found.length > options.limit && last !== undefined;
	return { data: page.map(options.wire), has_more: more, next_cursor: more ? options.cursor(last) : null };
}
