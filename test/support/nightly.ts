/**
 * Set by `npm run test:nightly`: random tests and load tests in full. On every push they run small,
 * or not at all.
 */
export const NIGHTLY = process.env.NIGHTLY === '1';

/**
 * Decides every random test. When one fails, the run says its seed: `SEED=7 npm test` makes it
 * again.
 */
export const SEED = Number(process.env.SEED ?? 20_261_121);

/** How much of something a test does: on every push, and at night. */
export function sized(onPush: number, atNight: number): number {
	return NIGHTLY ? atNight : onPush;
}
