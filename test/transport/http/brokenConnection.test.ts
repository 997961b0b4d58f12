import { NodeApiError, type INode, type JsonObject } from 'n8n-workflow';
import { AxiosError } from 'axios';
import { outcomeOfBrokenConnection } from '../../../nodes/ESign/transport/http/outcome';

const NODE: INode = { id: '1', name: 'eSign', type: 'eSign', typeVersion: 1, position: [0, 0], parameters: {} };

/** As n8n hands it to a node: wrapped, and on 1.x without the client's error in it. */
function wrapped(error: Error, line: 'v1' | 'v2'): NodeApiError {
	const wrapper = new NodeApiError(NODE, error as unknown as JsonObject);
	return line === 'v1' ? Object.assign(wrapper, { cause: undefined }) : wrapper;
}

describe.each(['v1', 'v2'] as const)('A call without an answer, on n8n %s', (line) => {
	it.each([
		['socket hang up', 'ECONNRESET', { kind: 'unknown' }],
		['timeout of 300000ms exceeded', 'ECONNABORTED', { kind: 'unknown', late: true }],
		['connect ECONNREFUSED 127.0.0.1:9', 'ECONNREFUSED', { kind: 'notSent', fatal: false }],
		['getaddrinfo ENOTFOUND nowhere.invalid', 'ENOTFOUND', { kind: 'notSent', fatal: false }],
		['decryption failed or bad record mac', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', { kind: 'unknown' }],
		['wrong version number', 'ERR_SSL_WRONG_VERSION_NUMBER', { kind: 'unknown', late: true }],
		['tlsv1 alert internal error', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', { kind: 'unknown', late: true }],
		['alert certificate required', 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', { kind: 'unknown', late: true }],
		['write EPROTO', 'EPROTO', { kind: 'unknown', late: true }],
		['another name', 'ERR_TLS_CERT_ALTNAME_INVALID', { kind: 'notSent', fatal: true }],
		['certificate has expired', 'CERT_HAS_EXPIRED', { kind: 'notSent', fatal: true }],
		['Invalid URL', 'ERR_INVALID_URL', { kind: 'notSent', fatal: true }],
	])('%s', (message, code, outcome) => {
		expect(outcomeOfBrokenConnection(wrapped(new AxiosError(message, code), line))).toMatchObject(outcome);
	});

	it('a host that cannot be reached any more may have had the request', () => {
		const broken = (syscall: string) =>
			Object.assign(new AxiosError(`${syscall} EHOSTUNREACH`, 'EHOSTUNREACH'), { syscall });
		expect(outcomeOfBrokenConnection(wrapped(broken('read'), line))).toMatchObject({ kind: 'unknown', late: true });
		const connecting = outcomeOfBrokenConnection(wrapped(broken('connect'), line));
		expect(connecting.kind).toBe(line === 'v1' ? 'unknown' : 'notSent');
	});

	it('an answer that broke off may have had its effect', () => {
		const response = { status: 200, statusText: 'OK', headers: {}, config: {}, data: {} };
		const error = Object.assign(new AxiosError('stream has been aborted', 'ERR_BAD_RESPONSE'), { response });
		expect(outcomeOfBrokenConnection(wrapped(error, line))).toMatchObject({ kind: 'unknown' });
	});

	it("what n8n's own checks refuse was not sent", () => {
		const error = new Error('Domain not allowed: example.com');
		expect(outcomeOfBrokenConnection(wrapped(error, line))).toMatchObject({ kind: 'notSent', fatal: true });
	});
});
