/** Packages that come without types: only what is used here. */
declare module 'wawoff2/decompress' {
	/** A WOFF2 file as the TrueType file that was packed into it. */
	export default function decompress(woff2: Uint8Array): Promise<Uint8Array>;
}

declare module 'linebreak' {
	/** Places at which a line may end, by the Unicode line breaking algorithm (UAX 14). */
	export default class LineBreaker {
		constructor(text: string);
		nextBreak(): { position: number; required: boolean } | null;
	}
}
