import { readdir } from 'node:fs/promises';
import type { IDataObject, INode } from 'n8n-workflow';
import type { WorkflowFile } from '../../support/n8nServer/apiClient';
import { until } from '../../support/processes/until';
import type { Document } from '../../support/serviceClient';
import { Runs } from '../support/runs';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { readExample } from '../../support/examples';
import { CREDENTIALS, inFolder, Workshop } from './support/workshop';

/** n8n looks once a minute which executions resume by themselves. */
const A_LITTLE_MORE_THAN_A_MINUTE_MS = 100_000;

/** Of whoever has the credential: choosing the template, publishing, and filling in the form. */
const MAX_CLICKS = 20;

describe.each(CREDENTIALS)(
	'The examples that send and wait, with %i credential(s)',
	(credentials) => {
		let workshop: Workshop;

		beforeAll(async () => {
			workshop = await Workshop.open(credentials);
		}, STAGE_TIMEOUT_MS);
		afterAll(async () => await workshop?.close());
		afterEach(async () => await workshop.n8n.api.unpublishAll());

		const about = (name: string) => ({
			Name: name,
			Email: `${name.toLowerCase()}@example.com`,
			Company: `${name} Ltd`,
		});

		/** Fills in the form of the example that is open: what is sent to that person. */
		async function ask(name: string): Promise<Document> {
			const title = `NDA with ${name} Ltd`;
			const [sent] = await workshop.sentBy(async () => {
				await workshop.submit('Who is to sign?', about(name));
				await until(`"${title}" to be sent`, async () =>
					(await workshop.service.documents()).find(
						(document) => document.title === title && document.status === 'in_progress',
					),
				);
			});
			if (!sent) throw new Error('Nothing was sent');
			return sent;
		}

		async function signed({ recipients }: Document): Promise<void> {
			for (const { id } of recipients) await workshop.sandbox.control.sign(id);
		}

		const remindersOf = async ({ id }: Document) =>
			(await workshop.sandbox.control.requests()).filter(({ path }) =>
				path.includes(`${id}/remind`),
			);

		async function filesOf({ id, title }: Document): Promise<void> {
			const wanted = ['signed', 'certificate'].map((variant) => `${id} ${title} (${variant}).pdf`);
			await until('the signed files', async () => {
				const files = await readdir(workshop.folder);
				return wanted.every((file) => files.includes(file)) || undefined;
			});
		}

		const followUpOf = async ({ id }: Document) =>
			await until('the row of the document', async () =>
				(await workshop.rows('eSign follow-ups')).find((row) => row.document_id === id),
			);

		it('send and wait: signed, declined, and reminded when the time is up', async () => {
			const wait = nodeNamed('Wait for the signature');
			const id = await workshop.import('send-and-wait', (workflow) => {
				const { limitWaitTime } = wait(workflow).parameters.options as IDataObject;
				expect(limitWaitTime).toMatchObject({ values: { resumeAmount: 3, resumeUnit: 'days' } });
				((limitWaitTime as IDataObject).values as IDataObject).resumeAmount = 0.05;
				((limitWaitTime as IDataObject).values as IDataObject).resumeUnit = 'minutes';
			});
			// Tried out before it is published: nothing goes out that nobody would wait for.
			const early = await workshop.sentBy(async () => {
				const opened = workshop.editor.page.context().waitForEvent('page');
				await workshop.editor.executeFrom('Who is to sign?');
				const form = await opened;
				await workshop.fillIn(form, about('Eve'));
				const [, refused] = await workshop.n8n.api.finishedExecutions(id, 2);
				expect(refused?.data.resultData.error?.message).toMatch(
					/^Nothing was sent. Publish this workflow first/,
				);
			});
			expect(early).toEqual([]);
			await workshop.publishOpened(id);

			const runs = new Runs(workshop.n8n.api, id);
			const [ada, alan, edsger] = [await ask('Ada'), await ask('Alan'), await ask('Edsger')];
			await runs.asleep(3);
			await signed(ada);
			await workshop.sandbox.control.decline(alan.recipients[0]?.id ?? '');
			await filesOf(ada);
			expect(await followUpOf(alan)).toMatchObject({
				what_happened: 'declined',
				title: 'NDA with Alan Ltd',
			});

			await until(
				'the reminder',
				async () => (await remindersOf(edsger)).length > 0 || undefined,
				A_LITTLE_MORE_THAN_A_MINUTE_MS,
			);
			await runs.asleep(1);
			await signed(edsger);
			await filesOf(edsger);
		}, 240_000);

		it(`send and wait: from an empty workflow to the signed file in ${MAX_CLICKS} clicks`, async () => {
			const { editor, n8n } = workshop;
			const example = inFolder(readExample('send-and-wait'), workshop.folder);
			await editor.newWorkflow();
			editor.clicks = 0;

			const id = await editor.importHere(example.name, example);
			await editor.openNode('Send the NDA');
			await (await editor.searchList('templateId', 'Mutual NDA')).first().click();
			await editor.settled();
			await editor.closeNode();
			await workshop.publishOpened(id);
			const address = await editor.productionUrl('Who is to sign?');
			const form = await editor.page.context().newPage();
			await form.goto(address);
			for (const [label, answer] of Object.entries(about('Grete'))) {
				await form.getByLabel(label, { exact: true }).click();
				await form.keyboard.type(answer);
			}
			await form.locator('#submit-btn').click();

			await new Runs(n8n.api, id).asleep(1);
			const [sent] = await workshop.service.documents();
			if (!sent) throw new Error('Nothing was sent');
			await signed(sent);
			await filesOf(sent);
			expect(editor.clicks).toBeGreaterThan(10);
			expect(editor.clicks).toBeLessThanOrEqual(MAX_CLICKS);
			await form.close();
		});

		it('send and poll: the same without a webhook of the service', async () => {
			await workshop.publish('send-and-poll', (workflow) => {
				nodeNamed('An hour')(workflow).parameters = { amount: 1, unit: 'seconds' };
				const how = nodeNamed('How is it?')(workflow);
				how.parameters = JSON.parse(
					JSON.stringify(how.parameters).replace('$runIndex % 72 === 71', '$runIndex % 3 === 2'),
				) as INode['parameters'];
			});
			const [ada, alan] = [await ask('Adele'), await ask('Alonzo')];
			await until('a reminder', async () => (await remindersOf(ada)).length > 0 || undefined);
			expect(await workshop.service.endpoints()).toEqual([]);
			await signed(ada);
			await workshop.service.api('POST', `/documents/${alan.id}/cancel`);
			await filesOf(ada);
			expect(await followUpOf(alan)).toMatchObject({ what_happened: 'cancelled' });
		});
	},
);

const nodeNamed =
	(wanted: string) =>
	({ nodes }: WorkflowFile): INode => {
		const found = nodes.find(({ name }) => name === wanted);
		if (!found) throw new Error(`There is no node ${wanted}`);
		return found;
	};
