/**
 * One of the files cannot be turned into pages, or all of them together; `fileIndex` is its
 * zero-based place in the list.
 */
export class SourceBuildError extends Error {
	constructor(
		readonly fileIndex: number | undefined,
		options?: ErrorOptions,
	) {
		const files = fileIndex === undefined ? 'The files' : `File ${fileIndex + 1}`;
		super(`${files} could not be turned into pages`, options);
		this.name = 'SourceBuildError';
	}
}
