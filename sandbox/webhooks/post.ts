import type { Readable } from 'node:stream';
import axios from 'axios';

/** What came of one attempt. `status` is null when no answer arrived. */
export interface ReceiverAnswer {
	status: number | null;
	body: string | null;
	error: string | null;
}

/** Stored response bodies are cut here (docs/service.md sections 2 and 8), in characters. */
const STORED_CHARACTERS = 2_000;
/** A character takes at most four bytes in UTF-8; only this much is read of an answer. */
const READ_BYTES = STORED_CHARACTERS * 4;

async function beginningOf(stream: Readable): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		size += chunk.length;
		if (size >= READ_BYTES) break;
	}
	stream.destroy();
	return [...Buffer.concat(chunks).toString('utf8')].slice(0, STORED_CHARACTERS).join('');
}

function reasonOf(error: unknown): string {
	if (axios.isCancel(error)) return 'timeout of 10000 ms exceeded';
	const code = (error as { code?: unknown }).code;
	const text = error instanceof Error ? error.message : '';
	return text || (typeof code === 'string' ? code : 'connection failed');
}

/**
 * POSTs a body, byte for byte, and reads the beginning of the answer. Never throws: a connection
 * that fails, or that `signal` ends, is an answer too. Redirects are not followed.
 */
export async function post(
	url: string,
	body: string,
	headers: Record<string, string>,
	signal: AbortSignal,
): Promise<ReceiverAnswer> {
	let status: number | null = null;
	try {
		const response = await axios.post<Readable>(url, Buffer.from(body, 'utf8'), {
			headers: { 'content-type': 'application/json', ...headers },
			responseType: 'stream',
			validateStatus: () => true,
			maxRedirects: 0,
			proxy: false,
			signal,
		});
		status = response.status;
		const abort = () => response.data.destroy(new axios.CanceledError());
		signal.addEventListener('abort', abort, { once: true });
		return { status, body: await beginningOf(response.data), error: null };
	} catch (error) {
		return { status, body: null, error: reasonOf(error) };
	}
}
