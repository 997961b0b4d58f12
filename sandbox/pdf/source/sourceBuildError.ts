/** One of the files cannot be turned into pages; `fileIndex` is its zero-based place in the list. */
export class SourceBuildError extends Error {
	constructor(
		readonly fileIndex: number,
		options?: ErrorOptions,
	) {
		super(`File ${fileIndex + 1} could not be turned into pages`, options);
		this.name = 'SourceBuildError';
	}
}
