import type { Service } from '../credentials';
import { runOf, type ApiContext } from '../run';
import type { KeyState, KeyStates } from './keyState';
import type { ClientSettings } from '../settings';

/** Everything that the attempts of one call share. */
export type Session = {
	context: ApiContext;
	settings: ClientSettings;
	service: Service;
	state: KeyState;
	signal: AbortSignal;
	/** When the call is given up, whatever has become of it; `Infinity` where nothing presses. */
	deadline: number;
	/** How often the call is sent at most while it meets faults. */
	attempts: number;
	/** How long the call waits in all for a key whose limit others spend, in milliseconds. */
	patienceMs: number;
	/** Requests of one execution keep their order; executions take turns. */
	group: unknown;
};

/** @throws NodeOperationError if the credential cannot be used */
export async function openSession(
	context: ApiContext,
	settings: ClientSettings,
	states: KeyStates,
	{ deadline = Infinity, signal }: { deadline?: number; signal?: AbortSignal } = {},
): Promise<Session> {
	const run = runOf(context);
	const service = await run.service();
	// Somebody looks at a form whose list is being filled.
	const isInteractive = 'getCurrentNodeParameter' in context;
	return {
		context,
		settings,
		service,
		state: states.of(service.keyId),
		signal: signal ? AbortSignal.any([run.signal, signal]) : run.signal,
		deadline,
		attempts: settings.attempts,
		patienceMs: isInteractive ? settings.interactivePatienceMs : settings.rateLimitPatienceMs,
		group: run.execution,
	};
}
