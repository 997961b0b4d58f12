import type { INodeType } from 'n8n-workflow';
import { N8n } from '../../support/n8nCore/n8n';
import type { ClientSettings } from '../../../nodes/ESign/client';
import type { LossyService } from './lossyService';
import { TYPE } from '../../actions/support/workbench';

/** An n8n in another process: nothing of what the modules of the package hold is known to it. */
export async function otherProcess(
	settings: Partial<ClientSettings>,
	credential: { baseUrl: string; apiKey: string },
	others: Record<string, INodeType> = {},
): Promise<N8n> {
	let worker: N8n | undefined;
	await jest.isolateModulesAsync(async () => {
		const { ESign } = await import('../../../nodes/ESign/ESign.node.js');
		const { client } = await import('../../../nodes/ESign/client/index.js');
		Object.assign(client.settings, settings);
		worker = new N8n({ ...others, [TYPE]: new ESign() }, credential);
	});
	if (!worker) throw new Error('No modules were loaded');
	return worker;
}

/** An n8n in another process, of which the service is the same, behind the same network. */
export async function otherWorker({ clock, credential }: LossyService, others = {}): Promise<N8n> {
	return await otherProcess({ clock, attempts: 2 }, credential, others);
}
