/** What the nodes use of the response of n8n's web server. */
export interface Responder {
	statusCode: number;
	readonly writableFinished: boolean;
	readonly headersSent: boolean;
	readonly destroyed: boolean;
	/** An object is sent as JSON. */
	status(code: number): { send(body: unknown): unknown };
	setHeader(name: string, value: string): unknown;
	once(event: 'close', listener: () => void): unknown;
	/** Every answer ends with it. */
	end: (...given: unknown[]) => unknown;
}

/**
 * Listens for n8n's answer, also if the sender has hung up, or was answered already.
 *
 * @returns `answered`: the status that n8n answers with; `answerFirst`: answers 200 before n8n
 * does, whose answer then goes to nobody
 */
export function onAnswer(response: Responder) {
	const end = response.end.bind(response);
	let pass = end;
	const answered = new Promise<number>((resolve) => {
		response.end = (...given) => {
			resolve(response.statusCode);
			return pass(...given);
		};
	});
	const answerFirst = (body: unknown): void => {
		if (response.headersSent || response.destroyed) return;
		const { end: listen } = response;
		response.end = end;
		response.status(200).send(body);
		pass = () => response;
		// n8n sets headers of its own, which would fail now.
		Object.assign(response, { end: listen, setHeader: pass, setHeaders: pass });
	};
	return { answered, answerFirst };
}
