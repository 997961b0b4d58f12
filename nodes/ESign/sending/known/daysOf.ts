/** The days (UTC) of moments, in milliseconds since the epoch; each once. */
export function daysOf(...moments: number[]): string[] {
	return [...new Set(moments.map((at) => new Date(at).toISOString().slice(0, 10)))];
}
