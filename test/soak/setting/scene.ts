import type { ServiceClient } from '../../support/serviceClient';
import { signerTemplate } from '../../../bench/setting/template';
import { startRecordingProxy, type RecordingProxy } from '../../support/recordingProxy';
import { startGateway, type Gateway } from '../../support/gateway';
import { packTarball } from '../../support/packing';
import { freePort, startN8n, type N8nServer } from '../../support/n8nServer/server';
import { EventLedger } from './eventLedger';
import { Operator } from './operator';
import { KEY_OF, publishWorkflows, type WorkflowName } from './workflows';

/** Everything that takes part. */
export interface Scene {
	/** The service through the soak's own key, past n8n. */
	service: ServiceClient;
	n8n: N8nServer;
	operator: Operator;
	/** From n8n to the service. */
	calls: Gateway;
	/** From the service to n8n's webhooks. */
	deliveries: Gateway;
	/** What passed from the service to n8n; answers 502 while n8n is down. */
	recorder: RecordingProxy;
	ledger: EventLedger;
	workflows: Record<WorkflowName, string>;
	/** Roles of the template that is sent. */
	roles: string[];
}

/**
 * A real n8n with the packed package and its workflows published, and the way between it and the
 * service in the hands of the soak.
 */
export async function withScene(
	service: ServiceClient,
	work: (scene: Scene) => Promise<void>,
): Promise<void> {
	// What has been opened so far, newest last: closed in reverse, also when the rest cannot be.
	const open: Array<() => Promise<void>> = [];
	try {
		const ledger = await EventLedger.open(service);
		open.push(async () => await ledger.close());
		const port = await freePort();
		const recorder = await startRecordingProxy(() => `http://127.0.0.1:${port}`);
		open.push(recorder.close);
		const deliveries = await startGateway(() => recorder.url);
		open.push(deliveries.close);
		const calls = await startGateway(() => service.url);
		open.push(calls.close);
		const tarball = await packTarball();
		open.push(tarball.remove);
		const n8n = await startN8n({
			port,
			tarball: tarball.path,
			env: { WEBHOOK_URL: deliveries.url },
			onProgress: (message) => process.stderr.write(`${message}\n`),
		});
		open.push(async () => await n8n.close());
		const operator = new Operator(n8n, service.control, `${calls.url}/v1`);
		for (const name of new Set(Object.values(KEY_OF))) await operator.makeCredential(name);
		const template = await signerTemplate(service);
		const workflows = await publishWorkflows(n8n, operator.credentials, template.id);
		const roles = template.roles.map(({ role }) => role);
		await work({ service, n8n, operator, calls, deliveries, recorder, ledger, workflows, roles });
	} finally {
		for (const close of open.reverse()) await close();
	}
}
