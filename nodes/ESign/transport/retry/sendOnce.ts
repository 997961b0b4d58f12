import type { IDataObject } from 'n8n-workflow';
import { asThrown } from '../errors/asThrown';
import { refusal } from '../errors/failure';
import { Cancelled } from '../pacing/waiting';
import { executionOf } from '../context/context';
import { Attempts } from './attempts';
import { CUT_SHORT } from '../session/doubts';
import type { Errand } from './errand';
import { exhausted } from './givingUp';

/**
 * For a reminder, which is never repeated: nothing at the service tells whether it has gone out, and a person would get a
 * second e-mail. n8n's own tries fail as the first did; Retry execution is the decision of a person, and sends it.
 */
export async function sendOnce({ session, call, site, name, request }: Errand): Promise<IDataObject> {
	const { doubts } = session.state.effects;
	const execution = executionOf(session.context);
	const earlier = doubts.get(name);
	const executions = [...(earlier?.executions ?? []), execution];
	const sent = { endpoint: call.endpoint, about: request.path?.id, executions };
	if (earlier?.executions.includes(execution))
		throw exhausted(site, earlier.outcome, { attempts: 1, ms: 0 }, 'in doubt');
	const attempts = new Attempts(session, site);
	try {
		const { outcome } = await attempts.send(call);
		if (outcome.kind === 'done') {
			doubts.clear(name);
			return outcome.body;
		}
		if (outcome.kind === 'refused') throw refusal(site, outcome.status, outcome.body);
		attempts.inDoubt = true;
		doubts.note(name, { ...sent, outcome });
		throw attempts.exhausted(outcome);
	} catch (error) {
		if (error instanceof Cancelled && error.mayHaveHappened) doubts.note(name, { ...sent, outcome: CUT_SHORT });
		throw asThrown(error);
	}
}
