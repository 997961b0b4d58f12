import { Cancelled } from '../pacing/pause';
import { asThrown, type ErrorContext } from './failure';
import { cancellation } from './givenUp';

/**
 * Puts a cancellation into words: whether the call may have had an effect is what the user has to
 * know.
 */
export async function cancelledInWords<T>(call: ErrorContext, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof Cancelled)) throw asThrown(error);
		throw cancellation(call, error.mayHaveHappened);
	}
}
