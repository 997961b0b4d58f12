import { NodeApiError, type JsonObject } from 'n8n-workflow';
import { AxiosError } from 'axios';
import { outcomeOfBrokenConnection } from '../../../nodes/ESign/client/call/outcome';
import { NODE } from '../support/node';

/** As n8n hands it to a node: wrapped, and on 1.x without the client's error in it. */
function wrapped(error: Error, line: 'v1' | 'v2'): NodeApiError {
	const wrapper = new NodeApiError(NODE, error as unknown as JsonObject);
	return line === 'v1' ? Object.assign(wrapper, { cause: undefined }) : wrapper;
}

describe.each(['v1', 'v2'] as const)('A call without an answer, on n8n %s', (line) => {
	it.each([
		['ECONNRESET', { kind: 'unknown', late: true, reason: 'the connection broke (ECONNRESET)' }],
		['ECONNABORTED', { kind: 'unknown', late: true, reason: 'the service did not answer in time' }],
		['ETIMEDOUT', { kind: 'unknown', late: true, reason: 'the service did not answer in time' }],
		[
			'ESOCKETTIMEDOUT',
			{ kind: 'unknown', late: true, reason: 'the service did not answer in time' },
		],
		[
			'ERR_SOCKET_CONNECTION_TIMEOUT',
			{ kind: 'unknown', late: true, reason: 'the service did not answer in time' },
		],
		[
			'ECONNREFUSED',
			{ kind: 'notSent', fatal: false, reason: 'nothing listens at the address of the service' },
		],
		[
			'ENOTFOUND',
			{ kind: 'notSent', fatal: false, reason: 'the host name of the service is unknown' },
		],
		[
			'EAI_AGAIN',
			{
				kind: 'notSent',
				fatal: false,
				reason: 'the host name of the service could not be looked up',
			},
		],
		...[
			'DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
			'WRONG_VERSION_NUMBER',
			'TLSV13_ALERT_CERTIFICATE_REQUIRED',
		].map((alert) => [`ERR_SSL_${alert}`, { kind: 'unknown', late: true }] as const),
		['EPROTO', { kind: 'unknown', late: true }],
		...[
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'CERT_HAS_EXPIRED',
			'UNABLE_TO_VERIFY_LEAF',
			'DEPTH_ZERO_SELF_SIGNED',
		].map(
			(code) =>
				[
					code,
					{
						kind: 'notSent',
						fatal: true,
						reason: `a secure connection could not be made (${code})`,
					},
				] as const,
		),
		['ERR_INVALID_URL', { kind: 'notSent', fatal: true }],
		['ERR_INVALID_URL_SCHEME', { kind: 'unknown' }],
		['ERR_UNESCAPED_CHARACTERS', { kind: 'notSent', fatal: true }],
		['XUNABLE_TO_X', { kind: 'unknown' }],
		['XDEPTH_ZERO', { kind: 'unknown' }],
		['XERR_INVALID_URL', { kind: 'unknown' }],
		['XERR_UNESCAPED', { kind: 'unknown' }],
	] as const)('%s', (code, outcome) => {
		expect(
			outcomeOfBrokenConnection(wrapped(new AxiosError('it broke', code), line)),
		).toMatchObject(outcome);
	});

	it('a host that cannot be reached any more may have had the request', () => {
		for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ETIMEDOUT']) {
			const error = new AxiosError(`read ${code}`, code);
			const outcome = outcomeOfBrokenConnection(wrapped(error, line));
			expect(outcome).toMatchObject({ kind: 'unknown', late: true });
		}
	});

	it('a host that could not be reached at all has not', () => {
		const failures = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].map((code) => {
			const message = `connect ${code}`;
			return Object.assign(new Error(message), { code, syscall: 'connect' });
		});
		const [first] = failures;
		// Node.js tries all addresses of a host one after the other.
		const ofAll = Object.assign(new AggregateError(failures), { code: first?.code });
		for (const cause of [...failures, ofAll]) {
			const error = Object.assign(new AxiosError(cause.message, cause.code), { cause });
			const outcome = outcomeOfBrokenConnection({ message: 'wrapped', cause: error });
			const reason = 'the host of the service could not be reached';
			expect(outcome).toEqual({ kind: 'notSent', fatal: false, reason });
		}
	});

	it('an answer that broke off may have had its effect', () => {
		const response = { status: 200, statusText: 'OK', headers: {}, config: {}, data: {} };
		const error = Object.assign(new AxiosError('stream has been aborted', 'ERR_BAD_RESPONSE'), {
			response,
		});
		expect(outcomeOfBrokenConnection(wrapped(error, line))).toMatchObject({ kind: 'unknown' });
	});

	it("what n8n's own checks refuse was not sent", () => {
		const error = new Error('Domain not allowed: example.com, with sk_live_secret');
		const reason = expect.stringMatching(/^n8n did not send it: .*\[hidden\]$/) as string;
		const outcome = outcomeOfBrokenConnection(wrapped(error, line));
		expect(outcome).toMatchObject({ kind: 'notSent', fatal: true, reason });
	});

	it('the innermost message says why, if there is one', () => {
		const inner = { message: 'the inner one', cause: { message: '' } };
		const outcome = outcomeOfBrokenConnection({ message: 'the outer one', cause: inner });
		expect(outcome).toMatchObject({ reason: 'n8n did not send it: the inner one' });
		expect(outcomeOfBrokenConnection({})).toMatchObject({
			reason: 'n8n did not send it: no reason given',
		});
		expect(outcomeOfBrokenConnection('odd')).toMatchObject({
			reason: 'n8n did not send it: no reason given',
		});
	});

	it('an error of the client without a code is a connection that broke', () => {
		expect(outcomeOfBrokenConnection({ isAxiosError: true })).toEqual({
			kind: 'unknown',
			late: true,
			reason: 'the connection broke',
		});
		expect(outcomeOfBrokenConnection({ httpCode: '502' })).toMatchObject({ kind: 'unknown' });
	});

	it('a code says that something may have been sent, whoever has given it', () => {
		const reason = 'the connection broke (ERR_HTTP2_ERROR)';
		expect(outcomeOfBrokenConnection({ code: 'ERR_HTTP2_ERROR' })).toEqual({
			kind: 'unknown',
			late: true,
			reason,
		});
	});

	it('causes that go round in a circle have an end', () => {
		const error: { message: string; cause?: unknown } = { message: 'round' };
		error.cause = error;
		expect(outcomeOfBrokenConnection(error)).toMatchObject({
			kind: 'notSent',
			reason: 'n8n did not send it: round',
		});
	});
});
