import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'flatted';
import type { IDataObject, IRunExecutionData, IWorkflowBase } from 'n8n-workflow';
import type { N8nLine } from './installation';
import { until } from '../processes/until';

/** A workflow as an export of the editor holds it. */
export type WorkflowFile = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections'> &
	Partial<IWorkflowBase>;

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	mode: string;
	status: string;
	/** When n8n took it in hand, and when it was through. */
	startedAt: string | null;
	stoppedAt: string | null;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
}

/** The most executions that n8n lists at once. */
const PAGE = 100;

interface Publication {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ status: 'activated' | 'failed'; errorMessage: string | null }>;
}

/** What n8n's credential dialog shows after its test. */
export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

/** Somebody who signs in to n8n. */
export interface Person {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

/** The person who owns the instance; also what the demo prints for the user to sign in with. */
export const OWNER: Person = {
	email: 'owner@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Sign-here-1',
};

/** Executions in these states are still going to change. */
const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/**
 * n8n's own REST API, the one its editor uses, with the session of one person: the owner, or who
 * accepted an invitation.
 */
export class ApiClient {
	private cookie = '';

	constructor(
		private readonly url: string,
		private readonly line: N8nLine,
	) {}

	/** Creates the owner on a fresh instance, signs in on a used one. */
	async signIn(): Promise<void> {
		const settings = await this.request<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'GET',
			'/settings',
		);
		if (settings.userManagement.showSetupOnFirstLoad)
			await this.request('POST', '/owner/setup', OWNER);
		else
			await this.request('POST', '/login', {
				emailOrLdapLoginId: OWNER.email,
				password: OWNER.password,
			});
	}

	/** Makes room for more people. @returns for each address the invitation that `accept` takes */
	async invite(emails: string[]): Promise<string[]> {
		const invitations = emails.map((email) => ({ email, role: 'global:member' }));
		const invited = await this.request<Array<{ user: { email: string; inviteAcceptUrl: string } }>>(
			'POST',
			'/invitations',
			invitations,
		);
		return emails.map((email) =>
			String(invited.find(({ user }) => user.email === email)?.user.inviteAcceptUrl),
		);
	}

	/**
	 * Takes an invitation up: from then on this client is that person's, who sees nothing of what
	 * others have.
	 */
	async accept(invitation: string, { firstName, lastName, password }: Person): Promise<void> {
		const { token, inviterId, inviteeId } = Object.fromEntries(new URL(invitation).searchParams);
		const person = { firstName, lastName, password };
		// n8n 2 signs its invitations, 1.x names two people in them.
		if (token) await this.request('POST', '/invitations/accept', { token, ...person });
		else await this.request('POST', `/invitations/${inviteeId}/accept`, { inviterId, ...person });
	}

	async createCredential(credential: {
		name: string;
		type: string;
		data: IDataObject;
	}): Promise<{ id: string }> {
		return await this.request('POST', '/credentials', credential);
	}

	/** Presses the button of the credential dialog that saves and tests. */
	async testCredential(credential: {
		name: string;
		type: string;
		data: IDataObject;
	}): Promise<CredentialTestResult> {
		const { id } = await this.createCredential(credential);
		const credentials = { ...credential, id };
		const result = await this.request<CredentialTestResult>('POST', '/credentials/test', {
			credentials,
		});
		await this.request('DELETE', `/credentials/${id}`);
		return result;
	}

	async createWorkflow(workflow: WorkflowFile): Promise<{ id: string; versionId: string }> {
		const { name, nodes, connections, settings } = workflow;
		return await this.request('POST', '/workflows', {
			name,
			nodes,
			connections,
			settings: settings ?? {},
			// 1.x has no default for it.
			active: false,
		});
	}

	/**
	 * Publishes the latest version of a workflow (1.x: activates it), and waits until its triggers
	 * are registered: n8n 2 answers before, 1.x answers then.
	 *
	 * @throws Error with n8n's own words for every trigger that could not be registered
	 */
	async publish(workflowId: string): Promise<void> {
		const { versionId } = await this.request<{ versionId: string }>(
			'GET',
			`/workflows/${workflowId}`,
		);
		await this.request('POST', `/workflows/${workflowId}/activate`, { versionId });
		const { triggers } = await this.settled(workflowId);
		const failures = triggers
			.filter(({ status }) => status === 'failed')
			.map(({ errorMessage }) => errorMessage);
		if (failures.length > 0)
			throw new Error(`Workflow ${workflowId} is not published: ${failures.join('; ')}`);
	}

	/** Takes a workflow out of service, and waits until its triggers have signed off. */
	async unpublish(workflowId: string): Promise<void> {
		await this.request('POST', `/workflows/${workflowId}/deactivate`, {});
		await this.settled(workflowId);
	}

	/** Whether a workflow is in service. */
	async isPublished(workflowId: string): Promise<boolean> {
		const workflow = await this.request<{ activeVersionId: string | null }>(
			'GET',
			`/workflows/${workflowId}`,
		);
		return workflow.activeVersionId !== null;
	}

	/** Takes every workflow of this person out of service. */
	async unpublishAll(): Promise<void> {
		const workflows = await this.request<Array<{ id: string; active: boolean }>>(
			'GET',
			'/workflows',
		);
		for (const { id } of workflows.filter(({ active }) => active)) await this.unpublish(id);
	}

	/**
	 * What became of the triggers of a workflow, once n8n is through with them; 1.x told it in its
	 * answer.
	 */
	private async settled(workflowId: string): Promise<Pick<Publication, 'triggers'>> {
		if (this.line === 'v1') return { triggers: [] };
		return await until(`the publication of workflow ${workflowId} to settle`, async () => {
			const publication = await this.request<Publication>(
				'GET',
				`/workflows/${workflowId}/publication-status`,
			);
			return publication.status === 'in_progress' ? undefined : publication;
		});
	}

	/**
	 * Presses "Execute workflow" in the editor; a webhook trigger then listens for one test event,
	 * two minutes at most.
	 */
	async listen(workflowId: string, triggerName: string): Promise<void> {
		const workflowData = await this.request('GET', `/workflows/${workflowId}`);
		const triggerToStartFrom = { name: triggerName };
		// 1.x runs the workflow that the editor holds, 2.x the one that it has saved.
		await this.request('POST', `/workflows/${workflowId}/run`, {
			workflowData,
			triggerToStartFrom,
		});
	}

	/** Presses "Stop listening". */
	async stopListening(workflowId: string): Promise<void> {
		await this.request('DELETE', `/test-webhook/${workflowId}`);
	}

	/**
	 * All executions of a workflow, newest first. n8n sorts them by the time of the start. Its cursor
	 * goes by the id, and so passes over some that were started in another order, as by two workers.
	 */
	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		// One that started at the very end of a page, or ends meanwhile, is on two.
		const all = new Map<string, ExecutionSummary>();
		for (let startedBefore: string | undefined, seen = -1; all.size > seen;) {
			seen = all.size;
			const filter = JSON.stringify({ workflowId, startedBefore });
			const query = new URLSearchParams({ filter, limit: String(PAGE) });
			const { results } = await this.request<{ results: ExecutionSummary[] }>(
				'GET',
				`/executions?${query.toString()}`,
			);
			for (const execution of results) all.set(execution.id, execution);
			startedBefore = results.at(-1)?.startedAt ?? undefined;
			if (!startedBefore || results.length < PAGE) break;
		}
		return [...all.values()];
	}

	async execution(executionId: string): Promise<Execution> {
		const { data, ...summary } = await this.request<ExecutionSummary & { data: string }>(
			'GET',
			`/executions/${executionId}`,
		);
		return { ...summary, data: parse(data) };
	}

	/**
	 * Waits until the workflow has `count` finished executions and none that still runs.
	 *
	 * @returns them, in the order in which they were made, with their data
	 */
	async finishedExecutions(
		workflowId: string,
		count: number,
		timeoutMs = 60_000,
	): Promise<Execution[]> {
		const done = await until(
			`${count} finished execution(s) of workflow ${workflowId}`,
			async () => {
				// Listing is work for n8n, which has the executions themselves to run.
				await pause(count * 10);
				const all = await this.executions(workflowId);
				const left = all.filter(({ status }) => UNFINISHED.includes(status));
				if (left.length === 0 && all.length >= count) return all;
				throw new Error(
					`${all.length} are there, not finished: ${left.map(({ id, status }) => `${id} ${status}`).join(', ')}`,
				);
			},
			timeoutMs,
		);
		const inOrder = done.sort((one, other) => Number(one.id) - Number(other.id));
		return await Promise.all(inOrder.map(async ({ id }) => await this.execution(id)));
	}

	/** A file of an execution, by the id that its item holds. */
	async binaryData(id: string): Promise<Buffer> {
		const response = await this.call(
			'GET',
			`/binary-data?id=${encodeURIComponent(id)}&action=download`,
		);
		return Buffer.from(await response.arrayBuffer());
	}

	/**
	 * One call to `/rest`, with the session cookie; n8n wraps what it returns in `data`.
	 *
	 * @throws Error with method, path, status and body unless the answer is a 2xx
	 */
	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.call(method, path, body);
		const session = response.headers
			.getSetCookie()
			.find((cookie) => cookie.startsWith('n8n-auth='));
		if (session) this.cookie = session.slice(0, session.indexOf(';'));
		return ((await response.json()) as { data: T }).data;
	}

	private async call(method: string, path: string, body?: unknown): Promise<Response> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			// n8n ends idle connections: one that is used again at that moment fails.
			headers: { 'content-type': 'application/json', cookie: this.cookie, connection: 'close' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		if (response.ok) return response;
		throw new Error(
			`${method} /rest${path}: ${response.status} ${(await response.text()).slice(0, 1000)}`,
		);
	}
}
