import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { examplesFolder, ownNodes, readExample } from '../../support/examples';
import { projectRoot } from '../../support/packing';
import type { WorkflowFile } from '../../support/n8nServer/apiClient';
import { until } from '../../support/processes/until';
import type { Document } from '../../support/serviceClient';
import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { ACCESS, CREDENTIAL, CREDENTIALS, Workshop, type Answers } from './support/workshop';

const DAY_SECONDS = 86_400;

describe.each(CREDENTIALS)(
	'The examples, run as a person does who has %i eSign credential(s)',
	(credentials) => {
		let workshop: Workshop;

		beforeAll(async () => {
			workshop = await Workshop.open(credentials);
		}, STAGE_TIMEOUT_MS);
		afterAll(async () => await workshop?.close());
		afterEach(async () => await workshop.n8n.api.unpublishAll());

		it('send in bulk from a spreadsheet: one contract per row, once, and the row that fails is handed back', async () => {
			const id = await workshop.publish('send-in-bulk-from-a-spreadsheet');
			const notSent = join(workshop.folder, 'not-sent.csv');
			const client = (name: string, email: string) => [
				{ role: 'Client', name, email },
				{ role: 'Company', email: 'grace@example.com' },
			];
			const titles = [
				'NDA with Analytical Engines Ltd from 2027-01-01',
				'NDA with Bletchley Machines from 2027-01-15',
			];
			const expected = [
				{
					title: titles[0],
					status: 'in_progress',
					recipients: client('Ada Lovelace', 'ada@example.com'),
				},
				{
					title: titles[1],
					status: 'in_progress',
					recipients: client('Alan Turing', 'alan@example.com'),
				},
			];
			// The second file has the same rows: Skip If Created Within finds what the first has sent.
			for (const [run, ending] of ['csv', 'xlsx'].entries()) {
				await rm(notSent, { force: true });
				const sent = await workshop.sentBy(async () => {
					await workshop.submit('Upload the list', {
						Spreadsheet: join(examplesFolder, `contracts-to-send.${ending}`),
					});
					const execution = (await workshop.n8n.api.finishedExecutions(id, run + 1))[run];
					expect(execution?.status).toBe('success');
					const summary = {
						rows: 4,
						sent: run === 0 ? 2 : 0,
						sent_before: run === 0 ? 1 : 3,
						not_sent: 1,
					};
					expect(itemsOf(execution, 'Summary').map(({ json }) => json)).toEqual([summary]);
					const out = itemsOf(execution, 'Send one NDA per row').map(
						({ json }) => json.title ?? json.email,
					);
					expect(out).toEqual([...titles, titles[0], 'katherine at example.com']);
				});
				expect(sent).toMatchObject(run === 0 ? expected : []);
				const [head, row, ...more] = (await readFile(notSent, 'utf8')).trim().split('\n');
				expect(head).toContain(
					'name,email,client_company,term_months,effective_date,governing_law,problem',
				);
				expect(row).toContain('Katherine Johnson,katherine at example.com,Orbit Systems Inc,36');
				expect(row).toContain('Recipients > Client email: ');
				expect(more).toEqual([]);
			}
		});

		it('send from a template: the deal becomes a document with its values, and the answer is that document', async () => {
			await workshop.publish('send-from-a-template');
			const url = await workshop.editor.productionUrl('A deal is won');
			const post = async (deal: object, { name = '', value = '' } = {}) =>
				await fetch(url, {
					method: 'POST',
					headers: { 'content-type': 'application/json', [name || 'x-none']: value },
					body: JSON.stringify(deal),
				});
			const deals = ['Ada Lovelace', 'Alan Turing'].map((name, index) => ({
				client: { name, email: `client${index}@example.com`, company: `Company ${index}` },
				owner: { name: 'Grace Hopper', email: 'grace@example.com' },
				term_months: 12 * (index + 1),
				effective_date: '2027-01-01',
				governing_law: 'Delaware',
			}));
			const answers: Document[] = [];
			const sent = await workshop.sentBy(async () => {
				expect((await post({})).status).toBe(403);
				for (const deal of deals) {
					const response = await post(deal, ACCESS['Header Auth']?.data);
					answers.push((await response.json()) as Document);
				}
			});

			expect(sent.map(({ id: sentId }) => sentId)).toEqual(
				answers.map(({ id: answerId }) => answerId),
			);
			expect(sent).toMatchObject(
				deals.map(({ client }) => ({
					title: `NDA with ${client.company}`,
					recipients: [
						{ role: 'Client', name: client.name, email: client.email },
						{ role: 'Company', email: 'grace@example.com' },
					],
				})),
			);
		});

		it('sign in the browser: the visitor of the form ends on a page, and signs the document just sent', async () => {
			await workshop.publish('sign-in-the-browser');
			const [document, ...more] = await workshop.sentBy(async () => {
				const url = await workshop.editor.productionUrl('Who are you?');
				const page = await workshop.visit(url, {
					Name: 'Ada Lovelace',
					Email: 'ada@example.com',
					Company: 'Engines',
				});
				await page.getByLabel('Client signed on').fill('2027-01-01');
				await page.getByRole('button', { name: 'Sign', exact: true }).click();
				await until('the document to be signed', async () =>
					(await workshop.service.documents())[0]?.recipients.find(
						({ status }) => status === 'signed',
					),
				);
				await page.context().close();
			});

			expect(more).toEqual([]);
			expect(document).toMatchObject({
				title: 'NDA with Engines',
				recipients: [
					{ role: 'Client', email: 'ada@example.com', status: 'signed' },
					{ role: 'Company', email: 'grace@example.com' },
				],
			});
		});

		it('send a contract, and file signed documents: the contract goes out, and its files are in the folder', async () => {
			await workshop.publish('file-signed-documents');
			const send = await workshop.publish('send-a-contract');
			const people = { 'First signer': 'Ada', 'Second signer': 'Grace', 'Copy to': 'Records' };
			const emails = Object.entries(people).map(([label, name]) => [
				`${label} email`,
				`${name}@example.com`,
			]);
			const everybody = { ...people, ...(Object.fromEntries(emails) as Answers) };
			const [sent] = await workshop.sentBy(async () => {
				const Contract = join(projectRoot, 'test/fixtures/contract.pdf');
				const said = await workshop.lastPageOf('Contract form', { Contract, ...everybody });
				expect(said).toContain('The contract is on its way to Ada');
				await workshop.n8n.api.finishedExecutions(send, 1);
			});
			expect(sent).toMatchObject({
				title: 'contract',
				recipients: Object.values(people).map((name) => ({ name })),
			});
			expect(sent?.recipients.map(({ status }) => status)).toEqual([
				'sent',
				'waiting',
				expect.anything(),
			]);
			for (const { id } of sent?.recipients.slice(0, 2) ?? [])
				await workshop.sandbox.control.sign(id);
			for (const variant of ['signed', 'certificate']) {
				const path = join(workshop.folder, `${sent?.id} contract (${variant}).pdf`);
				await until(
					path,
					async () => (await readFile(path)).subarray(0, 5).toString() === '%PDF-' || undefined,
				);
			}
			const refused = await workshop.sentBy(async () => {
				const Contract = join(projectRoot, 'test/fixtures/contract.html');
				const said = await workshop.lastPageOf('Contract form', { Contract, ...everybody });
				expect(said).toContain('The contract was not sent');
				expect(said).toContain('is a web page');
			});
			expect(refused).toEqual([]);
		});

		it('remind weekly: everyone outstanding for more than three days, once, passing over whom nobody can remind', async () => {
			const { n8n, service, sandbox } = workshop;
			workshop.setBack(4 * DAY_SECONDS);
			const oldest = await service.send('First of that day', ['alan@example.com']);
			const signedMeanwhile = await service.send('Signed meanwhile', ['alan@example.com']);
			const old = await service.send('Four days old', ['ada@example.com', 'grace@example.com']);
			workshop.setBack(0);
			await service.send('Of today', ['ada@example.com']);
			const id = await workshop.import('remind-weekly');
			let before = (await sandbox.control.requests()).length;
			const reminded = async () =>
				(await sandbox.control.requests())
					.slice(before)
					.filter(({ path }) => path.endsWith('/remind'))
					.map(({ path, status }) => `${status} ${path.split('/')[3]}`);
			// The newest document comes first: what is signed after its reminder has been listed as
			// outstanding.
			const path = `/documents/${signedMeanwhile.id}/remind`;
			await sandbox.control.fault({
				method: 'POST',
				path,
				when: 'before',
				kind: 'delay',
				delay_ms: 12_000,
				times: 1,
			});

			const running = workshop.execute(id, 'Every Monday');
			await until('the first reminder', async () =>
				(await reminded()).find((call) => call.includes(old.id)),
			);
			await sandbox.control.sign(String(signedMeanwhile.recipients[0]?.id));
			const execution = await running;

			expect(await reminded()).toEqual([
				`200 ${old.id}`,
				`409 ${signedMeanwhile.id}`,
				`200 ${oldest.id}`,
			]);
			expect(itemsOf(execution, 'Remind').map(({ json }) => json)).toEqual([
				{ document_id: old.id, reminded: 2 },
				{ document_id: signedMeanwhile.id, reminded: 0 },
				{ document_id: oldest.id, reminded: 1 },
			]);
			expect(execution.status).toBe('success');

			// Any other failure ends the run as failed: Retry execution reminds the people who are left,
			// and nobody twice.
			before = (await sandbox.control.requests()).length;
			const refused = {
				path: `/documents/${oldest.id}/remind`,
				kind: 'status',
				status: 403,
			} as const;
			await sandbox.control.fault({ method: 'POST', when: 'before', times: 1, ...refused });
			const failed = await workshop.execute(id, 'Every Monday');
			expect(failed.status).toBe('error');
			await n8n.api.request('POST', `/executions/${failed.id}/retry`, { loadWorkflow: true });
			const [, , retried] = await n8n.api.finishedExecutions(id, 3);
			expect(retried?.status).toBe('success');
			expect(await reminded()).toEqual([`200 ${old.id}`, `403 ${oldest.id}`, `200 ${oldest.id}`]);
		});

		it('branch on declined and expired: each leaves its own row, with the people it is about', async () => {
			const id = await workshop.publish('branch-on-declined-and-expired');
			const { control } = workshop.sandbox;
			const declined = await workshop.service.send('To decline', [
				'ada@example.com',
				'grace@example.com',
			]);
			const expired = await workshop.service.send('To expire', [
				'alan@example.com',
				'grace@example.com',
			]);
			const signed = await workshop.service.complete('To sign', ['ada@example.com']);
			await control.decline(String(declined.recipients[0]?.id));
			await control.sign(String(expired.recipients[0]?.id));
			await control.expire(expired.id);
			const executions = await workshop.n8n.api.finishedExecutions(id, 3);
			expect(executions.map(({ status }) => status)).toEqual(['success', 'success', 'success']);

			const rows = await workshop.rows('eSign declined and expired');
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
		});

		it('sample events: one item per event before anything was sent; published, the samples do not count', async () => {
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
		});

		it('a credential of another name is chosen in one node, and counts for all once something was moved', async () => {
			const { editor, n8n } = workshop;
			const file = readExample('file-signed-documents');
			for (const node of ownNodes(file))
				node.credentials = { eSignApi: { id: null, name: 'Not in this n8n' } } as never;
			const id = await editor.importFile(file.name, file);
			await editor.openNode('When a document is completed');
			await editor.pickFrom(editor.page.getByTestId('node-credentials-select'), CREDENTIAL);
			await editor.closeNode();
			const moved = editor.onCanvas('Write to the folder');
			const { mouse } = editor.page;
			await moved.hover();
			await mouse.down();
			const { x = 0, y = 0 } = (await moved.boundingBox()) ?? {};
			await mouse.move(x, y, { steps: 4 });
			await mouse.up();
			await until('the choice to be saved', async () => {
				const saved = await n8n.api.request<WorkflowFile>('GET', `/workflows/${id}`);
				return ownNodes(saved).every(({ credentials }) => credentials?.eSignApi?.id)
					? true
					: undefined;
			});
			await workshop.publishOpened(id);
		});
	},
);

const [samples = []] = Object.values(readExample('sample-events').pinData ?? {});
