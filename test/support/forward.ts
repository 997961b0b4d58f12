import { request, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request that a proxy has read. */
export interface Passed {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

export interface Answered {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/**
 * Passes a request on as it came, on a connection of its own. Those that Node.js keeps for all were
 * perhaps used by axios, after which five seconds without an answer end them: on a busy machine a
 * whole process may stand still for longer.
 *
 * @throws the error of the connection
 */
export async function forward(
	target: string,
	{ method, path, headers, body }: Passed,
): Promise<Answered> {
	const { host, hostname, port } = new URL(target);
	return await new Promise<Answered>((resolve, reject) => {
		const options = {
			agent: false,
			host: hostname,
			port,
			method,
			path,
			headers: { ...headers, host },
		};
		const upstream = request(options, (answer) => {
			const { statusCode = 0, headers: answered } = answer;
			buffer(answer).then(
				(bytes) => resolve({ status: statusCode, headers: answered, body: bytes }),
				reject,
			);
		});
		upstream.on('error', reject);
		upstream.end(body);
	});
}
