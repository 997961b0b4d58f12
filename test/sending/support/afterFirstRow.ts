import type { LossyService } from './lossyService';

/** Does something when the first row of a run is through, for which the list was read. */
export function afterFirstRow(service: LossyService, work: () => Promise<unknown>): void {
	const { memories } = service;
	const remove = memories.removeProcessed.bind(memories);
	memories.removeProcessed = async (...gone) => {
		await remove(...gone);
		if (!service.requests.includes('GET /documents')) return;
		memories.removeProcessed = remove;
		await work();
	};
}
