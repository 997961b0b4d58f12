/**
 * One API request; `status` is null when the connection was dropped before anything was answered.
 */
export interface LoggedRequest {
	method: string;
	/** The path of the URL, `/v1` included, without its query. */
	path: string;
	status: number | null;
	at: string;
}

const KEPT_REQUESTS = 10_000;

/** The last 10,000 API requests since the reset, oldest first. */
export class RequestLog {
	private entries: LoggedRequest[] = [];

	add(entry: LoggedRequest): LoggedRequest {
		this.entries.push(entry);
		// Cut in batches: shifting an array of this length on every request is slow.
		if (this.entries.length > KEPT_REQUESTS * 2) this.entries = this.entries.slice(-KEPT_REQUESTS);
		return entry;
	}

	list(): LoggedRequest[] {
		return this.entries.slice(-KEPT_REQUESTS);
	}

	clear(): void {
		this.entries = [];
	}
}
