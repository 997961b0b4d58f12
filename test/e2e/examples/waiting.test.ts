import { readdir } from 'node:fs/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../../harness/n8nServer/apiClient';
import { until } from '../../../harness/processes/until';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { submitForm } from './support/forms';
import { sentSince, type SentTemplate } from './support/observations';
import { Workshop } from './support/workshop';

/** n8n looks once a minute which executions go on by themselves. */
const A_LITTLE_MORE_THAN_A_MINUTE_MS = 100_000;

describe('The examples that send and wait', () => {
	let workshop: Workshop;

	beforeAll(async () => {
		workshop = await Workshop.open();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await workshop?.close());
	afterEach(async () => await workshop.unpublishAll());

	/** Imports an example and makes its table: it remains to be published. */
	async function prepare(name: string, change: (workflow: WorkflowFile) => void): Promise<string> {
		const id = await workshop.import(name, change);
		await workshop.execute(id, 'Once: make the table');
		return id;
	}

	/** Fills in the form of an example: what is sent to that person. */
	async function ask(id: string, path: string, name: string): Promise<SentTemplate> {
		const title = `NDA with ${name} Ltd`;
		const [sent] = await sentSince(workshop.service, async () => {
			await submitForm(workshop.n8n.url, path, [name, `${name.toLowerCase()}@example.com`, `${name} Ltd`]);
			await until(`"${title}" to be sent`, async () => {
				const sentNow = (await workshop.service.documents()).filter(({ status }) => status === 'in_progress');
				return sentNow.some((document) => document.title === title) || undefined;
			}).catch(async (error: Error) => {
				throw new Error(`${error.message}: ${await failuresOf(id)}`);
			});
		});
		if (!sent) throw new Error('Nothing was sent');
		return sent;
	}

	/** The executions of a workflow, with the error of each that failed. */
	async function failuresOf(id: string): Promise<string> {
		const all = await workshop.n8n.api.executions(id);
		const told = all.map(async ({ id: execution, status }) => {
			const { data } = await workshop.n8n.api.execution(execution);
			return `${execution} ${status} ${data.resultData.error?.message ?? ''}`;
		});
		return (await Promise.all(told)).join(', ');
	}

	async function signed({ recipients }: SentTemplate): Promise<void> {
		for (const { id } of recipients) await workshop.sandbox.control.sign(id);
	}

	const remindersOf = async ({ id }: SentTemplate) =>
		(await workshop.sandbox.control.requests()).filter(({ path }) => path.includes(`${id}/remind`));

	async function filesOf({ id }: SentTemplate): Promise<void> {
		await until('the signed files', async () => {
			const files = await readdir(workshop.folder);
			return (files.includes(`${id}-signed.pdf`) && files.includes(`${id}-certificate.pdf`)) || undefined;
		});
	}

	const followUpOf = async ({ id }: SentTemplate) =>
		await until('the row of the document', async () =>
			(await workshop.rows('eSign follow-ups')).find((row) => row.document_id === id),
		);

	it('send and wait: signed, declined, and reminded when the time is up', async () => {
		const wait = nodeNamed('Wait for the signature');
		const id = await prepare('send-and-wait', (workflow) => {
			const { limitWaitTime } = wait(workflow).parameters.options as IDataObject;
			expect(limitWaitTime).toMatchObject({ values: { resumeAmount: 3, resumeUnit: 'days' } });
			((limitWaitTime as IDataObject).values as IDataObject).resumeAmount = 0.05;
			((limitWaitTime as IDataObject).values as IDataObject).resumeUnit = 'minutes';
		});
		// Tried out before it is published: nothing goes out that nobody would wait for.
		await workshop.n8n.api.listen(id, 'Who is to sign?');
		const early = await sentSince(workshop.service, async () => {
			await submitForm(workshop.n8n.url, 'send-and-wait', ['Eve', 'eve@example.com', 'Eve Ltd'], 'form-test');
			const [, refused] = await workshop.n8n.api.finishedExecutions(id, 2);
			expect(refused?.data.resultData.error?.message).toMatch(/^Nothing was sent. Publish this workflow first/);
		});
		expect(early).toEqual([]);
		await workshop.publishOpened(id);

		const asleep = async (count: number) =>
			await until('the executions to wait', async () => {
				const all = await workshop.n8n.api.executions(id);
				return all.filter(({ status }) => status === 'waiting').length === count || undefined;
			});
		const [ada, alan, edsger] = [
			await ask(id, 'send-and-wait', 'Ada'),
			await ask(id, 'send-and-wait', 'Alan'),
			await ask(id, 'send-and-wait', 'Edsger'),
		];
		await asleep(3);
		await signed(ada);
		await workshop.sandbox.control.decline(alan.recipients[0]?.id ?? '');
		await filesOf(ada);
		expect(await followUpOf(alan)).toMatchObject({ what_happened: 'declined', title: 'NDA with Alan Ltd' });

		await until(
			'the reminder',
			async () => (await remindersOf(edsger)).length > 0 || undefined,
			A_LITTLE_MORE_THAN_A_MINUTE_MS,
		);
		await asleep(1);
		await signed(edsger);
		await filesOf(edsger);
	}, 240_000);

	it('send and poll: the same without a webhook of the service', async () => {
		const id = await prepare('send-and-poll', (workflow) => {
			nodeNamed('An hour')(workflow).parameters = { amount: 1, unit: 'seconds' };
			const how = nodeNamed('How is it?')(workflow);
			how.parameters = JSON.parse(
				JSON.stringify(how.parameters).replace('$runIndex % 72 === 71', '$runIndex % 3 === 2'),
			) as INode['parameters'];
		});
		await workshop.publishOpened(id);
		const [ada, alan] = [await ask(id, 'send-and-poll', 'Adele'), await ask(id, 'send-and-poll', 'Alonzo')];
		await until('a reminder', async () => (await remindersOf(ada)).length > 0 || undefined);
		expect(await workshop.service.endpoints()).toEqual([]);
		await signed(ada);
		await workshop.service.api('POST', `/documents/${alan.id}/cancel`);
		await filesOf(ada);
		expect(await followUpOf(alan)).toMatchObject({ what_happened: 'cancelled' });
	});
});

const nodeNamed =
	(wanted: string) =>
	({ nodes }: WorkflowFile): INode => {
		const found = nodes.find(({ name }) => name === wanted);
		if (!found) throw new Error(`There is no node ${wanted}`);
		return found;
	};
