/** A string of JSON, or a character that opens, closes or separates; between them are numbers and words. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * The first key that an object of a JSON text holds twice. JSON.parse takes the last of the two without a word, so that the
 * address that somebody reads in the text may not be the one that is written to.
 *
 * @param text valid JSON
 */
export function repeatedKey(text: string): string | undefined {
	/** The keys of every object that is open; undefined for a list. */
	const open: Array<Set<string> | undefined> = [];
	let before = '';
	for (const [token] of text.matchAll(TOKEN)) {
		if (token === '{') open.push(new Set());
		else if (token === '[') open.push(undefined);
		else if (token === '}' || token === ']') open.pop();
		else if (token === ':') {
			const key = JSON.parse(before) as string;
			const keys = open.at(-1);
			if (keys?.has(key)) return key;
			keys?.add(key);
		}
		before = token;
	}
	return undefined;
}
