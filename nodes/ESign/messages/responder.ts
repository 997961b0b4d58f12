/** What the nodes use of the response of n8n's web server. */
export interface Responder {
	statusCode: number;
	readonly writableFinished: boolean;
	readonly headersSent: boolean;
	readonly destroyed: boolean;
	status(code: number): { send(body: string): unknown };
	setHeader(name: string, value: string): unknown;
	once(event: 'finish' | 'close', listener: () => void): unknown;
	/** Every answer ends with it. */
	end: (...given: unknown[]) => unknown;
}

/**
 * Tells the status that n8n answers with, also if the sender has hung up, or was answered already.
 *
 * @returns what answers 200 before n8n does. What n8n answers afterwards is passed to the listener,
 * and goes to nobody.
 */
export function onAnswer(
	response: Responder,
	listener: (status: number) => void,
): (text: string) => void {
	const end = response.end.bind(response);
	const listen = (answer: Responder['end']) => {
		response.end = (...given) => {
			listener(response.statusCode);
			return answer(...given);
		};
	};
	listen(end);
	return (text) => {
		if (response.headersSent || response.destroyed) return;
		response.end = end;
		response.status(200).send(text);
		listen(() => response);
		// n8n sets headers of its own, which would fail now.
		Object.assign(response, { setHeader: () => response, setHeaders: () => response });
	};
}
