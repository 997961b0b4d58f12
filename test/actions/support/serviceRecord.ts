import { startRecordingProxy, type Exchange } from '../../support/recordingProxy';

/** One request of the node as it stood on the wire. */
export interface Recorded {
	method: string;
	/** Below the base URL, percent-encoding as sent. */
	path: string;
	query: Record<string, string>;
	contentType?: string;
	/** Parsed JSON; undefined when no body was sent; the raw text of anything else. */
	body?: unknown;
	status: number;
}

/** Stands between the node and the service at `target`, and keeps every request as it was sent. */
export async function recordService(target: string) {
	const proxy = await startRecordingProxy(() => target);
	return {
		/** Base URL to give to the node, ending in `/v1`. */
		url: `${proxy.url}/v1`,
		/** What has come in so far, without those taken. */
		seen: () => proxy.exchanges.map(recorded),
		/** The same, and the record starts anew. */
		take: () => proxy.exchanges.splice(0).map(recorded),
		/**
		 * Answers the next matching request itself instead of handing it on; call it again for the one
		 * after.
		 */
		refuseNext: (matches: (request: Recorded) => boolean, status: number, body: object) =>
			proxy.refuseNext((exchange) => matches(recorded(exchange)), status, body),
		close: proxy.close,
	};
}

function recorded({ method, path, headers, body, status }: Exchange): Recorded {
	const { pathname, searchParams } = new URL(path, 'http://proxy');
	const contentType = headers['content-type'];
	return {
		method,
		path: pathname.replace(/^\/v1/, ''),
		query: Object.fromEntries(searchParams),
		contentType,
		body: parsed(body, contentType),
		status,
	};
}

function parsed(body: Buffer, contentType = ''): unknown {
	if (body.length === 0) return undefined;
	return contentType.includes('application/json')
		? (JSON.parse(body.toString()) as unknown)
		: body.toString('latin1');
}
