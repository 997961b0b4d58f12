import { ESign } from '../../../nodes/ESign/ESign.node';
import { client, type ClientSettings } from '../../../nodes/ESign/client';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { N8n, type NodeRun, type RunNodeOptions } from '../../../harness/n8nCore/n8n';
import { ServiceClient } from '../../../harness/serviceClient';
import { timeOutAtOnce } from '../../client/support/faults';
import { JumpClock } from '../../client/support/jumpClock';

export const TYPE = 'n8n-nodes-esign.eSign';

/** A timeout that no call runs into by itself. */
const PATIENT_MS = 240_000;

/**
 * The action node in n8n-core and a sandbox that is told to fail, on one clock that every wait puts forward. The node
 * uses the client that all nodes share, which goes by `client.settings`: a test file changes those for itself.
 */
export class FaultyService {
	/** The service as a plain client sees it: what the node did is read back without the node. */
	readonly direct: ServiceClient;

	private readonly endTimeouts = timeOutAtOnce();

	private constructor(
		readonly sandbox: Sandbox,
		readonly clock: JumpClock,
		readonly n8n: N8n,
		readonly credential: { baseUrl: string; apiKey: string },
	) {
		this.direct = new ServiceClient(sandbox.url, sandbox.keys.test);
	}

	static async open(changed: Partial<ClientSettings> = {}): Promise<FaultyService> {
		const clock = new JumpClock();
		Object.assign(client.settings, { clock, requestTimeoutMs: PATIENT_MS, transferTimeoutMs: PATIENT_MS, ...changed });
		const sandbox = await startSandbox({ rateLimit: 0, clock });
		const credential = { baseUrl: sandbox.url, apiKey: sandbox.keys.test };
		return new FaultyService(sandbox, clock, new N8n({ [TYPE]: new ESign() }, credential), credential);
	}

	async run(options: RunNodeOptions): Promise<NodeRun> {
		return await this.n8n.runNode(TYPE, options);
	}

	async close(): Promise<void> {
		this.endTimeouts();
		await this.sandbox.close();
	}
}
