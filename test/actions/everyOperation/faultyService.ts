import { ESign } from '../../../nodes/ESign/ESign.node';
import { client, type ClientSettings } from '../../../nodes/ESign/client';
import { startSandbox, type Sandbox } from '../../../sandbox';
import { N8n, type NodeRun, type RunNodeOptions } from '../../../harness/n8nCore/n8n';
import { JumpClock } from '../../client/support/jumpClock';
import { Direct } from '../../client/support/scenarios';

export const TYPE = 'n8n-nodes-esign.eSign';

/** A timeout that only a call on which a test has put a delay runs into. */
const PATIENT_MS = 240_000;

/**
 * The action node in n8n-core and a sandbox that is told to fail, on one clock that every wait puts forward. The node
 * uses the client that all nodes share, which goes by `client.settings`: a test file changes those for itself.
 */
export class FaultyService {
	readonly direct: Direct;

	private constructor(
		readonly sandbox: Sandbox,
		readonly clock: JumpClock,
		readonly n8n: N8n,
		readonly credential: { baseUrl: string; apiKey: string },
	) {
		this.direct = new Direct(sandbox);
	}

	static async open(changed: Partial<ClientSettings> = {}): Promise<FaultyService> {
		const clock = new JumpClock();
		Object.assign(client.settings, { clock, requestTimeoutMs: PATIENT_MS, transferTimeoutMs: PATIENT_MS, ...changed });
		const sandbox = await startSandbox({ rateLimit: 0, clock });
		const credential = { baseUrl: sandbox.url, apiKey: sandbox.keys.test };
		return new FaultyService(sandbox, clock, new N8n({ [TYPE]: new ESign() }, credential), credential);
	}

	/** How long a call waits for its answer, in real milliseconds; as long as can be when left out. */
	setTimeout(milliseconds = PATIENT_MS): void {
		Object.assign(client.settings, { requestTimeoutMs: milliseconds, transferTimeoutMs: milliseconds });
	}

	async run(options: RunNodeOptions): Promise<NodeRun> {
		return await this.n8n.runNode(TYPE, options);
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}
}
