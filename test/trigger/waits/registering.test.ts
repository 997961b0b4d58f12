import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import {
	keyOf,
	seal,
	unseal,
	type Message,
	type WaitingExecution,
} from '../../../nodes/ESign/messages/message';
import { ENDING_EVENTS } from '../../../nodes/ESign/service/ending';
import {
	listWebhooks,
	proveWaitingUrl,
	registerWithTriggers,
} from '../../../nodes/ESign/waiting/registerWithTriggers';
import { refusal, Wire } from '../support/wire';

const RESUME = 'https://n8n.example.com/webhook-waiting/7';

let wire: Wire;
beforeEach(() => {
	wire = new Wire();
	wire.add('whk_1', { events: [...ENDING_EVENTS] });
});

/** What n8n gives an execution whose request every trigger takes. */
function execution(): IExecuteFunctions {
	const take = async ({ body }: IHttpRequestOptions) => {
		const key = await keyOf(wire.context);
		const message = unseal<Message>((body as { sealed: string }).sealed, key);
		const answer = { answerTo: message?.nonce ?? '', wait: 'taken' as const };
		return { statusCode: 200, body: seal(answer, key) };
	};
	const helpers = { ...wire.context.helpers, httpRequest: take };
	return { ...wire.context, helpers } as unknown as IExecuteFunctions;
}

describe('An execution that begins to wait', () => {
	const request: WaitingExecution = {
		id: 'k7',
		execution: '7',
		resumeUrl: RESUME,
		documents: ['doc_1'],
		at: 1,
	};

	it('asks for itself where the reading that it shares has failed', async () => {
		let isDown = true;
		wire.during = () => (isDown ? refusal(500) : undefined);
		// This one began when the service was down for long, and has made its last try.
		const earlier = listWebhooks(wire.context).catch(() => (isDown = false));
		await registerWithTriggers(execution(), request);
		expect(await earlier).toBe(false);
	});

	it('does not say the password of the address at which it cannot be called', async () => {
		wire.isReachable = false;
		const resume = RESUME.replace('https://', 'https://n8n:secret@');
		const context = wire.context as unknown as IExecuteFunctions;
		await expect(proveWaitingUrl(context, resume)).rejects.toMatchObject({
			description: expect.stringMatching(
				/^What was found: https:\/\/n8n\.example\.com\/webhook-waiting\/ answered 502/,
			) as string,
		});
	});
});
