import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleNames, examplesFolder, readExample } from '../../support/examples';
import { NIGHTLY } from '../../support/nightly';
import { docx } from '../../actions/document/fields/support/docx';
import { itemsOf } from '../support/nodes';
import { STAGE_TIMEOUT_MS } from '../support/stage';
import { CREDENTIALS, Workshop } from './support/workshop';

/** By day one for each kind of address that n8n makes; that of the agent needs a model. */
const TWICE = NIGHTLY
	? exampleNames.filter((name) => name !== 'ai-agent-sends-contracts')
	: ['send-a-contract', 'file-signed-documents', 'mcp-server-sends-contracts'];

/** What the notes of examples say to publish before them. */
const STARTED = ['file-a-completed-document', 'follow-up-a-document'];
const BEFORE: Record<string, string[]> = {
	'reconcile-missed-events': STARTED,
	'one-trigger-many-workflows': [...STARTED, 'reconcile-missed-events'],
};

/** Of whoever has the credential: import, run, fill in the form, and sign twice. */
const MAX_CLICKS = 12;

const PEOPLE = {
	Client: 'Ada Lovelace',
	'Client email': 'ada@example.com',
	Consultant: 'Grace Hopper',
	'Consultant email': 'grace@example.com',
};

describe.each(CREDENTIALS)(
	'The examples that fill in, link and follow contracts, with %i credential(s)',
	(credentials) => {
		let workshop: Workshop;

		beforeAll(async () => {
			workshop = await Workshop.open(credentials);
		}, STAGE_TIMEOUT_MS);
		afterAll(async () => await workshop?.close());
		afterEach(async () => await workshop.n8n.api.unpublishAll());

		it(`send a Word contract: from an empty workflow to both signatures in ${MAX_CLICKS} clicks`, async () => {
			const { editor, sandbox } = workshop;
			const example = readExample('send-a-word-contract');
			await editor.newWorkflow();
			editor.clicks = 0;

			await editor.importHere(example.name, example);
			const opened = editor.page.context().waitForEvent('page');
			await editor.executeFrom('Word contract');
			const form = await opened;
			const choosing = form.waitForEvent('filechooser');
			await form.getByLabel('Contract', { exact: true }).click();
			await (await choosing).setFiles(join(examplesFolder, 'consulting-agreement.docx'));
			await form.getByLabel('Client', { exact: true }).click();
			for (const answer of Object.values(PEOPLE)) {
				await form.keyboard.type(answer);
				await form.keyboard.press('Tab');
			}
			const [sent] = await workshop.sentBy(async () => {
				await form.locator('#submit-btn').click();
				await form.waitForURL(/form-waiting/);
				await form.getByText('on its way to').waitFor();
			});

			for (const { name } of sent?.recipients ?? []) {
				await form.goto(new URL('/', sandbox.url).href);
				const link = form.locator('a', { hasText: name }).first();
				await form.goto(new URL(String(await link.getAttribute('href')), sandbox.url).href);
				for (const [input, answer] of [
					['input[type=date]', '11262026'],
					['[placeholder="Job title"]', 'Director'],
				] as const) {
					if ((await form.locator(input).count()) === 0) continue;
					await form.locator(input).click();
					await form.keyboard.type(answer);
				}
				await form.getByRole('button', { name: 'Sign', exact: true }).click();
				await form
					.getByText(/have signed|has signed/)
					.first()
					.waitFor();
			}
			const signed = await workshop.service.document(String(sent?.id));
			expect(signed).toMatchObject({ status: 'completed' });
			expect(editor.clicks).toBeGreaterThan(8);
			expect(editor.clicks).toBeLessThanOrEqual(MAX_CLICKS);
			await form.close();
		});

		it('send a Word contract: fields are where its white tags are, a misspelt tag is refused', async () => {
			const id = await workshop.publish('send-a-word-contract');
			const [sent, ...more] = await workshop.sentBy(async () => {
				const Contract = join(examplesFolder, 'consulting-agreement.docx');
				const said = await workshop.lastPageOf('Word contract', { Contract, ...PEOPLE });
				expect(said).toContain('on its way to Ada Lovelace and Grace Hopper');
			});
			expect(more).toEqual([]);
			const title = 'Consulting agreement with Ada Lovelace';
			expect(sent).toMatchObject({ title, status: 'in_progress' });
			const [execution] = await workshop.n8n.api.finishedExecutions(id, 1);
			const [run] = execution?.data.resultData.runData['Send for signature'] ?? [];
			expect(JSON.stringify(run?.hints)).toMatch(/5 fields by tags on page 1/);

			const refused = await workshop.sentBy(async () => {
				const Contract = join(workshop.folder, 'misspelt.docx');
				await writeFile(Contract, docx('[[signature 1]]', '[[sgnature 2]]'));
				const said = await workshop.lastPageOf('Word contract', { Contract, ...PEOPLE });
				expect(said).toContain('The contract was not sent');
				expect(said).toContain('[[sgnature 2]]');
			});
			expect(refused).toEqual([]);
		});

		it('fill a contract from a row: each row is a letter that has its values on the page', async () => {
			const id = await workshop.publish('fill-a-contract-from-a-row');
			const sent = await workshop.sentBy(async () => {
				await workshop.submit('Letter and list', {
					Letter: join(examplesFolder, 'offer-letter.pdf'),
					List: join(examplesFolder, 'offers.csv'),
				});
				const [execution] = await workshop.n8n.api.finishedExecutions(id, 1);
				expect(execution?.status).toBe('success');
			});
			expect(sent.map(({ title }) => title)).toEqual([
				'Offer letter for Ada Lovelace',
				'Offer letter for Alan Turing',
			]);
			const [, letter] = sent;
			await workshop.signByAll(letter);
			const text = await workshop.signedTextOf(letter);
			for (const value of ['Alan Turing', 'Cryptanalyst', '84000 GBP', '2027-02-01'])
				expect(text).toContain(value);
		});

		it('link documents to CRM rows: the row of a deal says what became of its document', async () => {
			const id = await workshop.publish('link-documents-to-crm-rows');
			const before = (await workshop.n8n.api.executions(id)).length;
			const [sent] = await workshop.sentBy(async () => {
				await workshop.submit('Which deal?', {
					Deal: 'D-1042',
					Name: 'Ada Lovelace',
					Email: 'ada@example.com',
					Company: 'Engines',
				});
				await workshop.n8n.api.finishedExecutions(id, before + 1);
			});
			const row = { document_id: sent?.id, deal: 'D-1042' };
			const rows = async () => await workshop.rows('eSign documents of deals');
			expect(await rows()).toEqual([{ ...row, status: 'in_progress' }]);

			// Nobody has linked this one to a deal.
			await workshop.service.complete('Another', ['ada@example.com']);
			await workshop.signByAll(sent);
			const executions = await workshop.n8n.api.finishedExecutions(id, before + 3);
			expect(executions.map(({ status }) => status)).not.toContain('error');
			expect(await rows()).toEqual([{ ...row, status: 'completed' }]);
			const told = executions.flatMap((execution) => itemsOf(execution, 'Tell the CRM'));
			expect(told.map(({ json }) => json)).toEqual([
				{ deal: 'D-1042', nda: 'completed', document_id: sent?.id },
			]);
		});

		it('whose turn is it: each person gets one message, when it is their turn', async () => {
			const id = await workshop.publish('whose-turn-is-it');
			const emails = ['ada@example.com', 'grace@example.com'];
			const document = await workshop.service.send('In turn', emails, 'sequential');
			const messages = async (executions: number) =>
				(await workshop.n8n.api.finishedExecutions(id, executions)).map((execution) =>
					itemsOf(execution, 'Message to the next').map(({ json }) => json.to),
				);
			expect(await messages(1)).toEqual([['ada@example.com']]);
			// It asks whose turn it is when it runs: the next one signs only after that.
			const [ada, grace] = document.recipients;
			await workshop.sandbox.control.sign(ada!.id);
			const told = [['ada@example.com'], ['grace@example.com']];
			expect((await messages(2)).sort()).toEqual(told);
			await workshop.sandbox.control.sign(grace!.id);
			expect((await messages(3)).sort()).toEqual([[], ...told]);
		});

		it.each(TWICE)('%s is imported twice, and both copies are published', async (name) => {
			for (const before of BEFORE[name] ?? []) await workshop.publish(before);
			for (let copy = 0; copy < 2; copy++) await workshop.publish(name);
		});
	},
);
