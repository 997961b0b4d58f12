import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Execution, WorkflowFile } from '../test/support/n8nServer/apiClient';
import { exampleWorkflow, type Choices } from '../test/support/n8nServer/exampleWorkflow';
import { projectRoot } from '../test/support/packing';
import { until } from '../test/support/processes/until';
import type { RunningN8n } from '../test/support/n8nServer/server';
import type { SandboxProcess } from '../test/support/sandboxProcess';
import { checkCertificate, checkSignedPdf } from './signedFiles';
import type { Timeline } from './timeline';

const SIGNERS = [
	{ name: 'Ada Lovelace', email: 'ada@example.com' },
	{ name: 'Grace Hopper', email: 'grace@example.com' },
];
const COPY = { name: 'Contract Archive', email: 'archive@example.com' };

/** Of the demo alone: an example that is imported beside it gets another one from n8n. */
export const FORM_PATH = 'demo-contract';

/** *Send a contract*, with the form at the path of the demo. */
export async function formWorkflow(choices: Choices): Promise<WorkflowFile> {
	const workflow = await exampleWorkflow('send-a-contract', choices);
	const form = workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
	assert.ok(form, 'The example has no form');
	// Its address ends with that.
	form.webhookId = FORM_PATH;
	return workflow;
}

interface Document {
	id: string;
	status: string;
	title: string;
	recipients: Array<{ id: string; name: string; status: string }>;
}

/** What the main job runs on. */
export interface Stage {
	n8n: RunningN8n;
	sandbox: Pick<SandboxProcess, 'url' | 'origin'>;
	/** Ids of the two published workflows. */
	workflows: { send: string; file: string };
	/** Where the second workflow writes. */
	outputFolder: string;
	timeline: Timeline;
}

/**
 * Sends the contract through the form of the first workflow, lets both people sign, and waits for
 * the second workflow.
 *
 * @throws as soon as something is not as it must be
 */
export async function doMainJob(stage: Stage): Promise<void> {
	const { n8n, timeline, workflows } = stage;
	const source = await readFile(join(projectRoot, 'test', 'fixtures', 'contract.pdf'));
	// A key of our own: looking must not use up the requests that the credential in n8n may make in a
	// minute.
	const look = await looker(stage.sandbox);

	await submitForm(n8n.url, source);
	const [sent] = await n8n.api.finishedExecutions(workflows.send, 1);
	const { id, recipients } = outputOf<Document>(sent, 'Send for signature');
	const [first, second] = recipients;
	assert.ok(first && second, 'The document has no two recipients');
	timeline.step('"Send a contract" has run', [
		`execution ${sent?.id}, document ${id}`,
		...recipients.map((recipient) => `recipient ${recipient.id} ${recipient.name}`),
	]);

	assert.equal(signerStatuses(await look(id)), 'sent, waiting');
	await sign(stage.sandbox, first.id);
	assert.equal(signerStatuses(await look(id)), 'signed, sent');
	timeline.step(`${first.name} has signed; now it is ${second.name}'s turn`);

	await sign(stage.sandbox, second.id);
	const completed = await look(id);
	assert.equal(completed.status, 'completed');
	timeline.step(`${second.name} has signed; the document is ${completed.status}`);

	const [filed] = await n8n.api.finishedExecutions(workflows.file, 1);
	const event = outputOf<{ id: string; document: { id: string } }>(
		filed,
		'When a document is completed',
	);
	assert.equal(event.document.id, id);
	timeline.step('"When it is signed, file the documents" has run', [
		`execution ${filed?.id}, event ${event.id}`,
	]);

	const [signed, certificate] = ['signed', 'certificate'].map((file) =>
		join(stage.outputFolder, `${id} ${completed.title} (${file}).pdf`),
	);
	assert.ok(signed && certificate);
	const pages = await checkSignedPdf(await readFile(signed), source);
	checkCertificate(
		await readFile(certificate),
		SIGNERS.map(({ name }) => name),
	);
	timeline.step('Both files are there', [
		`${signed} (${pages} pages, like the source)`,
		`${certificate} (names both)`,
	]);
}

function signerStatuses({ recipients }: Document): string {
	return recipients
		.slice(0, SIGNERS.length)
		.map(({ status }) => status)
		.join(', ');
}

/** Fills in and submits the form as a browser does: n8n names the fields by their position. */
async function submitForm(n8nUrl: string, contract: Buffer): Promise<void> {
	const form = new FormData();
	form.append(
		'field-0',
		new Blob([new Uint8Array(contract)], { type: 'application/pdf' }),
		'contract.pdf',
	);
	const people = [...SIGNERS, COPY].flatMap(({ name, email }) => [name, email]);
	people.forEach((value, index) => form.append(`field-${index + 1}`, value));
	const response = await fetch(`${n8nUrl}/form/${FORM_PATH}`, { method: 'POST', body: form });
	const text = await response.text();
	assert.ok(response.ok, `The form answered ${response.status}: ${text}`);
	const { formWaitingUrl } = JSON.parse(text) as { formWaitingUrl: string };
	// As the visitor's browser does: n8n does not answer for the last page before it is there.
	const status = new URL(formWaitingUrl);
	status.pathname += '/n8n-execution-status';
	await until('the last page of the form', async () => {
		const now = await (await fetch(status)).text();
		return now === 'form-waiting' || undefined;
	});
	const lastPage = await (await fetch(formWaitingUrl)).text();
	assert.ok(lastPage.includes('The contract is on its way to'), lastPage);
	// The page says that it was shown: the execution ends then.
	await fetch(formWaitingUrl, { method: 'POST' });
}

/** Reads documents at the service. */
async function looker({
	origin,
	url,
}: Stage['sandbox']): Promise<(id: string) => Promise<Document>> {
	const { key } = await post<{ key: string }>(`${origin}/_sandbox/keys`, { mode: 'TEST' });
	return async (id) => {
		const response = await fetch(`${url}/documents/${id}`, {
			headers: { authorization: `Bearer ${key}` },
		});
		assert.ok(response.ok, `GET /documents/${id} answered ${response.status}`);
		return (await response.json()) as Document;
	};
}

async function sign({ origin }: Stage['sandbox'], recipientId: string): Promise<void> {
	await post(`${origin}/_sandbox/recipients/${recipientId}/sign`, {});
}

async function post<T>(url: string, body: unknown): Promise<T> {
	const headers = { 'content-type': 'application/json' };
	const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
	const text = await response.text();
	assert.ok(response.ok, `POST ${url} answered ${response.status}: ${text}`);
	return (text ? JSON.parse(text) : undefined) as T;
}

/** The first item that a node of an execution put out. */
function outputOf<T>(execution: Execution | undefined, node: string): T {
	assert.ok(execution, 'There is no execution');
	const { error, runData } = execution.data.resultData;
	assert.equal(
		execution.status,
		'success',
		`Execution ${execution.id}: ${error?.message ?? execution.status}`,
	);
	const item = runData[node]?.[0]?.data?.main?.[0]?.[0];
	assert.ok(item, `Node "${node}" put nothing out`);
	return item.json as T;
}
