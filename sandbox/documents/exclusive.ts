import type { SignDocument } from '../state/entities';

const tails = new WeakMap<SignDocument, Promise<unknown>>();

/**
 * Runs acts on one document one after the other. Sealing takes time, and a cancel that arrives
 * while a document is being sealed must find it completed rather than interleave with it.
 */
export function exclusively<T>(document: SignDocument, act: () => T | Promise<T>): Promise<T> {
	const turn = (tails.get(document) ?? Promise.resolve()).then(act);
	tails.set(
		document,
		turn.catch(() => undefined),
	);
	return turn;
}
