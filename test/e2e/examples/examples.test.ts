import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { doMainJob } from '../../../demo/mainJob';
import { Timeline } from '../../../demo/timeline';
import { examplesFolder, ownNodes, readExample } from '../../../harness/examples';
import type { WorkflowFile } from '../../../harness/n8nServer/apiClient';
import { until } from '../../../harness/processes/until';
import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { submitForm } from './support/forms';
import { CREDENTIAL } from './support/importByHand';
import { everyEndpointRemoved, sentSince, type SentTemplate } from './support/observations';
import { Workshop } from './support/workshop';

const DAY_SECONDS = 86_400;

describe('The examples, imported into a real n8n in its editor, set up by clicks, and run against the service', () => {
	let workshop: Workshop;

	beforeAll(async () => {
		workshop = await Workshop.open();
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => await workshop?.close());

	/** What went out while `act` ran. */
	const sentBy = async (act: () => Promise<unknown>) => await sentSince(workshop.service, act);

	describe('send in bulk from a spreadsheet', () => {
		let id: string;
		beforeAll(async () => void (id = await workshop.publish('send-in-bulk-from-a-spreadsheet')));
		afterAll(async () => await workshop.n8n.api.unpublish(id));

		// The second file has the same rows: Skip If Created Within finds what the first has sent.
		it.each([
			['csv', 'text/csv', { rows: 3, sent: 2, sent_before: 0, not_sent: 1 }],
			[
				'xlsx',
				'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
				{ rows: 3, sent: 0, sent_before: 2, not_sent: 1 },
			],
		])('sends one contract per person of the %s file once, and hands back the row that fails', async (...file) => {
			const [ending, type, summary] = file;
			const notSent = join(workshop.folder, 'not-sent.csv');
			await rm(notSent, { force: true });
			const runs = (await workshop.n8n.api.executions(id)).length;
			const list = await readFile(join(examplesFolder, `contracts-to-send.${ending}`));
			const sent = await sentBy(async () => {
				await submitForm(workshop.n8n.url, 'send-in-bulk', [
					new File([new Uint8Array(list)], `list.${ending}`, { type }),
				]);
				const execution = (await workshop.n8n.api.finishedExecutions(id, runs + 1))[runs];
				expect(execution?.status).toBe('success');
				expect(itemsOf(execution, 'Summary').map(({ json }) => json)).toEqual([summary]);
				const out = itemsOf(execution, 'Send one NDA per row').map(({ json }) => json.title ?? json.email);
				const titles = ['NDA with Analytical Engines Ltd', 'NDA with Bletchley Machines'];
				expect(out).toEqual([...titles, 'katherine at example.com']);
			});

			const company = { role: 'Company', email: 'grace@example.com' };
			const expected = [
				{
					title: 'NDA with Analytical Engines Ltd',
					status: 'in_progress',
					recipients: [{ role: 'Client', name: 'Ada Lovelace', email: 'ada@example.com' }, company],
				},
				{
					title: 'NDA with Bletchley Machines',
					status: 'in_progress',
					recipients: [{ role: 'Client', name: 'Alan Turing', email: 'alan@example.com' }, company],
				},
			];
			expect(sent).toMatchObject(expected.slice(0, summary.sent));
			const [head, row, ...more] = (await readFile(notSent, 'utf8')).trim().split('\n');
			expect(head).toContain('name,email,client_company,term_months,effective_date,governing_law,problem');
			expect(row).toContain('Katherine Johnson,katherine at example.com,Orbit Systems Inc,36');
			expect(row).toContain('Recipients > Client email: ');
			expect(more).toEqual([]);
		});
	});

	it('send from a template: the deal becomes a document with its values, and the answer is that document', async () => {
		const id = await workshop.publish('send-from-a-template');
		const deals = ['Ada Lovelace', 'Alan Turing'].map((name, index) => ({
			client: { name, email: `client${index}@example.com`, company: `Company ${index}` },
			owner: { name: 'Grace Hopper', email: 'grace@example.com' },
			term_months: 12 * (index + 1),
			effective_date: '2027-01-01',
			governing_law: 'Delaware',
		}));
		const answers: SentTemplate[] = [];
		const sent = await sentBy(async () => {
			for (const deal of deals) {
				const response = await fetch(`${workshop.n8n.url}/webhook/send-an-nda`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(deal),
				});
				answers.push((await response.json()) as SentTemplate);
			}
		});

		expect(sent.map(({ id: sentId }) => sentId)).toEqual(answers.map(({ id: answerId }) => answerId));
		expect(sent).toMatchObject(
			deals.map(({ client }) => ({
				title: `NDA with ${client.company}`,
				recipients: [
					{ role: 'Client', name: client.name, email: client.email },
					{ role: 'Company', email: 'grace@example.com' },
				],
			})),
		);
		await workshop.n8n.api.unpublish(id);
	});

	it('sign in the browser: the visitor of the form ends on a page that signs the document just sent', async () => {
		const id = await workshop.publish('sign-in-the-browser');
		let page = '';
		const [document, ...more] = await sentBy(async () => {
			page = await submitForm(workshop.n8n.url, 'sign-in-the-browser', ['Ada Lovelace', 'ada@example.com', 'Engines']);
		});

		expect(more).toEqual([]);
		expect(document).toMatchObject({ title: 'NDA with Engines', status: 'in_progress' });
		const [execution] = await workshop.n8n.api.finishedExecutions(id, 1);
		const [sent] = itemsOf(execution, 'Send with a signing link');
		const links = (sent?.json as unknown as SentTemplate).embed_links ?? [];
		const link = links.find(({ recipient_id }) => recipient_id === document?.recipients[0]?.id);
		expect(document?.recipients[0]?.role).toBe('Client');
		expect(page).toContain(link?.url);
		expect((await fetch(String(link?.url))).status).toBe(200);
		await workshop.n8n.api.unpublish(id);
	});

	it('send a contract, and file signed documents: the contract goes out, and its files are in the folder', async () => {
		const file = await workshop.publish('file-signed-documents');
		const send = await workshop.publish('send-a-contract');
		const steps: string[] = [];
		await doMainJob({
			n8n: workshop.n8n,
			sandbox: { url: workshop.sandbox.url, origin: new URL(workshop.sandbox.url).origin },
			workflows: { send, file },
			outputFolder: workshop.folder,
			timeline: new Timeline((text) => void steps.push(text)),
		});
		expect(steps.join('')).toContain('Both files are there');
		for (const id of [file, send]) await workshop.n8n.api.unpublish(id);
		await everyEndpointRemoved(workshop.service);
	});

	it('remind weekly: everyone outstanding for more than three days, once, passing over whom nobody can remind', async () => {
		const { service, sandbox } = workshop;
		workshop.setBack(4 * DAY_SECONDS);
		const signedMeanwhile = await service.send('Signed meanwhile', ['alan@example.com']);
		const old = await service.send('Four days old', ['ada@example.com', 'grace@example.com']);
		workshop.setBack(0);
		const young = await service.send('Of today', ['ada@example.com']);
		const id = await workshop.import('remind-weekly');
		const before = (await sandbox.control.requests()).length;
		const reminded = async () =>
			(await sandbox.control.requests())
				.slice(before)
				.filter(({ path }) => path.endsWith('/remind'))
				.map(({ path, status }) => `${status} ${path.split('/')[3]}`);
		// The newest document comes first: what is signed after its reminder has been listed as outstanding.
		const path = `/documents/${signedMeanwhile.id}/remind`;
		await sandbox.control.fault({ method: 'POST', path, when: 'before', kind: 'delay', delay_ms: 12_000, times: 1 });

		const running = workshop.execute(id, 'Every Monday');
		await until('the first reminder', async () => (await reminded()).find((call) => call.includes(old.id)));
		await sandbox.control.sign(String(signedMeanwhile.recipients[0]?.id));
		const execution = await running;

		expect(await reminded()).toEqual([`200 ${old.id}`, `409 ${signedMeanwhile.id}`]);
		expect(JSON.stringify(await reminded())).not.toContain(young.id);
		expect(itemsOf(execution, 'Remind').map(({ json }) => json)).toEqual([
			{ document_id: old.id, reminded: 2 },
			{ document_id: signedMeanwhile.id, reminded: 0 },
		]);
		expect(execution.status).toBe('success');
	});

	it('branch on declined and expired: each leaves its own row, with the people it is about', async () => {
		const id = await workshop.import('branch-on-declined-and-expired');
		await workshop.execute(id, 'Once: make the table');
		await workshop.publishOpened(id);
		const { control } = workshop.sandbox;
		const declined = await workshop.service.send('To decline', ['ada@example.com', 'grace@example.com']);
		const expired = await workshop.service.send('To expire', ['alan@example.com', 'grace@example.com']);
		const signed = await workshop.service.complete('To sign', ['ada@example.com']);
		await control.decline(String(declined.recipients[0]?.id));
		await control.sign(String(expired.recipients[0]?.id));
		await control.expire(expired.id);
		const executions = await workshop.n8n.api.finishedExecutions(id, 3);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);

		const rows = await workshop.rows('eSign follow-ups');
		expect(rows).toHaveLength(2);
		expect(rows).toEqual(
			expect.arrayContaining([
				{
					document_id: declined.id,
					title: 'To decline',
					what_happened: 'declined: ask for the reason',
					who: 'ada@example.com <ada@example.com>',
				},
				{
					document_id: expired.id,
					title: 'To expire',
					what_happened: 'expired: send it again',
					who: 'grace@example.com <grace@example.com>',
				},
			]),
		);
		expect(JSON.stringify(rows)).not.toContain(signed.id);
		await workshop.n8n.api.unpublish(id);
		await everyEndpointRemoved(workshop.service);
	});

	it('sample events: one item per event before anything was sent; published, the samples count no more', async () => {
		const id = await workshop.import('sample-events');
		await workshop.editor.page.getByTestId('execute-workflow-button').click();
		const [tried] = await workshop.n8n.api.finishedExecutions(id, 1);
		const [switched] = tried?.data.resultData.runData['Which event?'] ?? [];
		const cameOut = switched?.data?.main?.map((items) => items?.map(({ json }) => json.event));
		expect(cameOut).toEqual(samples.map(({ json }) => [json.event]));

		await workshop.publishOpened(id);
		const { id: sentId } = await workshop.service.send('For real', ['ada@example.com']);
		const [, real] = await workshop.n8n.api.finishedExecutions(id, 2);
		expect(itemsOf(real, 'When something happens')).toMatchObject([
			{ json: { event: 'document.sent', document: { id: sentId, title: 'For real' } } },
		]);
		await workshop.n8n.api.unpublish(id);
		await everyEndpointRemoved(workshop.service);
	});

	it('a credential of another name is chosen in one node, and counts for all once something was moved', async () => {
		const { editor, n8n } = workshop;
		const file = readExample('file-signed-documents');
		for (const node of ownNodes(file)) node.credentials = { eSignApi: { id: null, name: 'Not in this n8n' } } as never;
		const id = await editor.importFile(file.name, file);
		await editor.openNode('When a document is completed');
		await editor.chooseCredential(CREDENTIAL);
		await editor.closeNode();
		await editor.moveNode('Write to the folder');
		await until('the choice to be saved', async () => {
			const saved = await n8n.api.request<WorkflowFile>('GET', `/workflows/${id}`);
			return ownNodes(saved).every(({ credentials }) => credentials?.eSignApi?.id) ? true : undefined;
		});
		await workshop.publishOpened(id);
		await n8n.api.unpublish(id);
		await everyEndpointRemoved(workshop.service);
	});
});

const [samples = []] = Object.values(readExample('sample-events').pinData ?? {});
