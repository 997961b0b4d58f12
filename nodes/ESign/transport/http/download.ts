import { NodeOperationError, type IDataObject, type IN8nHttpFullResponse } from 'n8n-workflow';
import { cancelSignalOf } from '../session/context';
import { isLoopback } from '../../service/loopback';
import { refusal, type FailureSite } from '../errors/failure';
import { exhausted } from '../retry/givingUp';
import { isObject, outcomeOfBrokenConnection, type Outcome } from '../retry/outcome';
import type { Session } from '../session/session';
import { Cancelled, pause, throwIfCancelled } from '../pacing/waiting';

export type Download = { bytes: Buffer; mimeType: string; fileName?: string };

const MOST_REDIRECTS = 3;

type Fetched = { kind: 'file'; file: Download } | { kind: 'redirect'; url: string } | Outcome;

/**
 * Fetches a URL that the service gave out (docs/service.md section 4, documents, rule 6), without the API key.
 * Redirects are followed a few times, each held to the same rules as the URL itself.
 *
 * @throws NodeApiError if it cannot be had, NodeOperationError for a URL that is not to be fetched, Cancelled
 */
export async function download(session: Session, site: FailureSite, firstUrl: string): Promise<Download> {
	const { settings, signal } = session;
	const beganAt = settings.clock.now();
	let url = checkedUrl(session, site, firstUrl);
	for (let failures = 0, redirects = 0; ;) {
		const fetched = await fetchOnce(session, url);
		if (fetched.kind === 'file') return fetched.file;
		if (fetched.kind === 'redirect') {
			redirects += 1;
			if (redirects > MOST_REDIRECTS) throw notToBeFetched(site, 'The download is redirected too often');
			url = checkedUrl(session, site, fetched.url);
			continue;
		}
		if (fetched.kind === 'refused') throw refusedDownload(site, fetched.status, fetched.body);
		if (fetched.kind === 'done') throw refusal(site, 200, fetched.body);
		failures += 1;
		const spent = { attempts: failures, ms: settings.clock.now() - beganAt };
		const unanswered: Extract<Outcome, { kind: 'unknown' | 'notSent' }> =
			fetched.kind === 'limited'
				? { kind: 'unknown', reason: 'the service is asked too often', status: fetched.status, body: fetched.body }
				: fetched;
		if (failures >= settings.attempts || (unanswered.kind === 'notSent' && unanswered.fatal)) {
			throw exhausted(site, unanswered, spent, 'not sent');
		}
		const backoff = Math.min(settings.backoffMs * 2 ** (failures - 1), settings.longestBackoffMs);
		await pause(settings.clock, backoff * (0.5 + settings.random() / 2), signal);
		throwIfCancelled(signal);
	}
}

async function fetchOnce({ context, settings, signal }: Session, url: string): Promise<Fetched> {
	let response: IN8nHttpFullResponse;
	try {
		response = (await context.helpers.httpRequest({
			method: 'GET',
			url,
			encoding: 'arraybuffer',
			timeout: settings.transferTimeoutMs,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			abortSignal: cancelSignalOf(context),
		})) as IN8nHttpFullResponse;
	} catch (error) {
		const failure: unknown = error;
		const cancelled = signal?.aborted ? new Cancelled() : undefined;
		if (cancelled) throw cancelled;
		if (failure instanceof NodeOperationError) throw failure;
		return outcomeOfBrokenConnection(failure);
	}
	return fetchedFrom(response, url);
}

function fetchedFrom({ statusCode: status, headers, body }: IN8nHttpFullResponse, url: string): Fetched {
	const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body as unknown as ArrayBuffer);
	const { location } = headers;
	if (status >= 300 && status < 400 && typeof location === 'string') {
		return { kind: 'redirect', url: URL.canParse(location, url) ? new URL(location, url).href : location };
	}
	if (status === 429) return { kind: 'limited', status, body: parsed(bytes) };
	if (status >= 500) {
		return { kind: 'unknown', reason: `the service answered with status ${status}`, status, body: parsed(bytes) };
	}
	if (status >= 300) return { kind: 'refused', status, body: parsed(bytes) };
	const length = Number(headers['content-length'] ?? NaN);
	const isEncoded = headers['content-encoding'] !== undefined;
	if (bytes.length === 0 || (!isEncoded && Number.isFinite(length) && length !== bytes.length)) {
		return { kind: 'unknown', reason: 'the file arrived incomplete', status };
	}
	return { kind: 'file', file: { bytes, mimeType: mimeTypeIn(headers), fileName: fileNameIn(headers) } };
}

/** Https only, so that a signed contract does not travel in the clear; a sandbox on this machine excepted. */
function checkedUrl({ service }: Session, site: FailureSite, text: string): string {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw notToBeFetched(site, 'The service gave a download URL that is not a URL');
	}
	const own = new URL(service.baseUrl);
	const isLocal = url.protocol === 'http:' && isLoopback(url.hostname) && url.hostname === own.hostname;
	if (url.protocol !== 'https:' && !isLocal)
		throw notToBeFetched(site, 'The download URL does not start with https://');
	url.username = '';
	url.password = '';
	return url.href;
}

function notToBeFetched({ context, itemIndex }: FailureSite, message: string): NodeOperationError {
	return new NodeOperationError(context.getNode(), message, {
		itemIndex,
		description: 'The file was not fetched. Get a new download URL and try again.',
	});
}

/** A URL that is too old is refused by whoever stores the file, in whatever form that has. */
function refusedDownload(site: FailureSite, status: number, body: unknown) {
	if (isObject(body) && isObject(body.error)) return refusal(site, status, body);
	const message = 'The download URL is not valid any more: it lasts 10 minutes. Get a new one and try again.';
	return refusal(site, status, { error: { code: '', message } });
}

function parsed(bytes: Buffer): IDataObject | undefined {
	try {
		const body: unknown = JSON.parse(bytes.toString('utf8'));
		return isObject(body) ? body : undefined;
	} catch {
		return undefined;
	}
}

function mimeTypeIn(headers: IN8nHttpFullResponse['headers']): string {
	const type = headers['content-type'];
	return (typeof type === 'string' ? type.split(';')[0]?.trim() : undefined) || 'application/octet-stream';
}

/** The name in `Content-Disposition`, of which the form that can hold any character counts first (RFC 6266). */
function fileNameIn(headers: IN8nHttpFullResponse['headers']): string | undefined {
	const disposition = headers['content-disposition'];
	if (typeof disposition !== 'string') return undefined;
	const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
	const plain = /filename="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1] ?? /filename=([^;"\s]+)/i.exec(disposition)?.[1];
	const name = (extended && decoded(extended)) ?? plain?.replace(/\\(.)/g, '$1');
	// A name, never a path, and nothing that a file system or a terminal would act on.
	const last =
		name
			?.split(/[/\\]/)
			.pop()
			?.replace(/\p{Cc}/gu, '') ?? '';
	return /^\.*$/.test(last) ? undefined : last;
}

function decoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
