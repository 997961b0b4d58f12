import type { Loss } from '../../support/lateProxy';
import type { NodeRun } from '../../support/n8nCore/n8n';
import { LIMITED, TEMPLATE_SEND } from './losses';
import type { LossyService } from './lossyService';

type Run = () => Promise<NodeRun>;

/**
 * A run whose send is refused. Another one begins meanwhile, and waits for the rate limit; as that
 * sends, the next begins. Ends when all of them are through.
 */
export async function firstIsRefused(
	service: LossyService,
	run: Run,
	others: readonly Run[],
): Promise<NodeRun[]> {
	const losses: Loss[] = [{ how: 402, afterMs: 5_000 }, LIMITED];
	const waiting = [...others];
	const runs: Array<Promise<NodeRun>> = [];
	const { lossOf } = service;
	service.lossOf = (method, path) => {
		const loss = method === 'POST' && TEMPLATE_SEND.test(path) ? losses.shift() : undefined;
		const other = loss && waiting.shift();
		if (other) runs.push(other());
		return loss;
	};
	await run();
	// Another one may begin while one is waited for.
	const ended: NodeRun[] = [];
	for (const one of runs) ended.push(await one);
	service.lossOf = lossOf;
	return ended;
}
