import type { IDataObject } from 'n8n-workflow';
import { ruleOf } from '../../service/endpoints';
import { asThrown } from '../errors/asThrown';
import { refusal } from '../errors/failure';
import { Cancelled } from '../pacing/waiting';
import { executionOf } from '../context/context';
import { Attempts } from './attempts';
import { CUT_SHORT } from '../session/doubts';
import type { Errand } from './errand';
import { stillInDoubt } from './givingUp';
import { stateAfterRefusal, stateAfterSilence, leavesInDoubt } from './refusedRepetition';

/**
 * For calls that may be sent again whatever became of them. Where a refused repetition tells that an earlier attempt did it,
 * that attempt may have been made by an earlier try of the item.
 */
export async function repeatUntilAnswered(errand: Errand): Promise<IDataObject> {
	const { session, call, site, request } = errand;
	const { endpoint } = call;
	const { doubts } = session.state.effects;
	const { id, linkId } = request.path ?? {};
	const sent = { endpoint, about: id ?? linkId, executions: [executionOf(session.context)] };
	const name = ruleOf(endpoint).retry === 'again' ? undefined : errand.name;
	const attempts = new Attempts(session, site);
	attempts.inDoubt = request.mayBeDone || doubts.get(name) !== undefined;
	try {
		for (;;) {
			const { outcome } = await attempts.send(call);
			if (outcome.kind === 'done') {
				doubts.clear(name);
				return outcome.body;
			}
			if (outcome.kind === 'refused') {
				const body = attempts.inDoubt ? await stateAfterRefusal(errand, outcome.status) : undefined;
				const refused = refusal(site, outcome.status, outcome.body);
				// A repetition that is refused for another reason says nothing of the attempt before it.
				if (attempts.inDoubt && !body && leavesInDoubt(endpoint, outcome.status)) throw stillInDoubt(site, refused);
				doubts.clear(name);
				if (body) return body;
				throw refused;
			}
			attempts.inDoubt = true;
			doubts.note(name, { ...sent, outcome });
			if (!attempts.areUsedUp) {
				await attempts.backOff(outcome);
				continue;
			}
			const body = await stateAfterSilence(errand);
			if (!body) throw attempts.exhausted(outcome);
			doubts.clear(name);
			return body;
		}
	} catch (error) {
		if (error instanceof Cancelled) {
			if (error.mayHaveHappened) doubts.note(name, { ...sent, outcome: CUT_SHORT });
			error.mayHaveHappened ||= attempts.inDoubt;
		}
		throw asThrown(error);
	}
}
