import type { Execution } from '../../support/n8nServer/apiClient';
import { chain, eSign, itemsOf, webhook } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { setClusterStage, type ClusterStage } from '../trigger/support/clusterStage';

const APPROVALS = 12;

/** Those that are refused first. */
const REFUSED = [2, 5, 9];

describe('On an n8n in queue mode with two workers, approvals', () => {
	let stage: ClusterStage;

	beforeAll(async () => {
		stage = await setClusterStage();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await stage?.close());

	/** One signer, always the same, and no title: only the name tells one approval from another. */
	async function template(name: string): Promise<string> {
		const roles = [{ role: 'Signer', type: 'SIGNER' as const }];
		const signature = { field_key: null, type: 'SIGNATURE' as const, role: 'Signer' };
		const fields = [{ ...signature, required: true, page: 1 }];
		const about = { mode: 'TEST' as const, status: 'PUBLISHED' as const, name, roles, fields };
		return (await stage.sandbox.control.createTemplate(about)).id;
	}

	/** Of whom documents are out, whose name begins so. */
	const namesOut = async (initial: string) => {
		const documents = await stage.service.documents();
		const out = documents.filter(({ status }) => status === 'in_progress');
		const names = out.map(({ recipients }) => recipients[0]?.name ?? '').sort();
		return names.filter((name) => name.startsWith(initial));
	};

	it('with Skip If Created go out once where a form was submitted twice, on whichever workers', async () => {
		const id = await template('Form');
		const send = eSign('Send', 'eSign', stage.credentialId, {
			resource: 'template',
			operation: 'send',
			templateId: { __rl: true, mode: 'id', value: id },
			recipientsInput: 'json',
			recipientsJson:
				'={{ [{ role: "Signer", name: $json.body.name, email: "ada@people.example" }] }}',
			additionalFields: { title: '=Form of {{ $json.body.name }}', skipIfCreatedWithin: 1 },
		});
		const { api } = stage.n8n;
		const workflow = await api.createWorkflow(chain('form', [webhook('form'), send]));
		await api.publish(workflow.id);
		const submit = async (name: string) =>
			await fetch(`${stage.cluster.webhook.url}/webhook/form`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ name }),
			});
		const names = Array.from({ length: 6 }, (_, number) => `F${number}`);
		for (const name of names) await Promise.all([submit(name), submit(name)]);
		const all = await api.finishedExecutions(workflow.id, 2 * names.length, 300_000);
		expect(all.map(({ status }) => status)).toEqual(all.map(() => 'success'));
		await expect(namesOut('F')).resolves.toEqual(names);
	}, 400_000);

	it('that were refused are sent by a retry, on whichever worker, each once', async () => {
		const id = await template('Approval');
		const recipientsJson =
			'={{ [{ role: "Signer", name: $json.body.name, email: "cfo@people.example" }] }}';
		const send = eSign('Send', 'eSign', stage.credentialId, {
			resource: 'template',
			operation: 'send',
			templateId: { __rl: true, mode: 'id', value: '={{ $json.body.template }}' },
			recipientsInput: 'json',
			recipientsJson,
		});
		const { api } = stage.n8n;
		const workflow = await api.createWorkflow(chain('approvals', [webhook('approvals'), send]));
		await api.publish(workflow.id);

		const fault = { method: 'POST', path: '/templates/*/send', when: 'before' } as const;
		const refuse = { ...fault, kind: 'status', status: 402, times: 1 } as const;
		for (let number = 0; number < APPROVALS; number++) {
			if (REFUSED.includes(number)) await stage.sandbox.control.fault(refuse);
			const response = await fetch(`${stage.cluster.webhook.url}/webhook/approvals`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ name: `N${number}`, template: id }),
			});
			expect(response.status).toBe(200);
			await api.finishedExecutions(workflow.id, number + 1, 60_000);
		}

		const first = await api.finishedExecutions(workflow.id, APPROVALS, 60_000);
		const failed = first.filter(({ status }) => status === 'error');
		expect(failed).toHaveLength(REFUSED.length);
		// Twice: the second finds what the first has sent, also where it was on the other worker.
		for (let again = 1; again <= 2; again++) {
			for (const { id: execution } of failed) {
				await api.request('POST', `/executions/${execution}/retry`, { loadWorkflow: false });
			}
			const count = APPROVALS + again * REFUSED.length;
			const all: Execution[] = await api.finishedExecutions(workflow.id, count, 150_000);
			const retried = all.slice(-REFUSED.length);
			expect(retried.map(({ status }) => status)).toEqual(REFUSED.map(() => 'success'));
			const names = retried.map((execution) => {
				const [item] = itemsOf(execution, 'Send');
				return (item?.json.recipients as Array<{ name: string }>)[0]?.name;
			});
			expect(names.sort()).toEqual(REFUSED.map((number) => `N${number}`).sort());
			const wanted = Array.from({ length: APPROVALS }, (_, number) => `N${number}`);
			await expect(namesOut('N')).resolves.toEqual(wanted.sort());
		}
	}, 400_000);
});
