import { cancelSignalOf, type ApiContext } from './context';
import { serviceOf, type Service } from './credentials';
import type { KeyState, KeyStates } from '../pacing/keyState';
import type { TransportSettings } from './settings';

/** Everything that the attempts of one call share. */
export type Session = {
	context: ApiContext;
	settings: TransportSettings;
	service: Service;
	state: KeyState;
	signal: AbortSignal | undefined;
	/** Requests of one execution keep their order; executions take turns. */
	group: unknown;
};

/** @throws NodeOperationError if the credential cannot be used */
export async function openSession(
	context: ApiContext,
	settings: TransportSettings,
	states: KeyStates,
): Promise<Session> {
	const service = await serviceOf(context);
	return {
		context,
		settings,
		service,
		state: states.of(service.keyId),
		signal: cancelSignalOf(context),
		group: executionOf(context),
	};
}

/** The execution's id; dropdowns and hooks have none, and each call of theirs stands for itself. */
export function executionOf(context: ApiContext): unknown {
	const id: string | undefined = context.getExecutionId();
	return id ?? context;
}
