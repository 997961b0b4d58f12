import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NodeHelpers, type IDataObject, type INode } from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { ESignTrigger } from '../../nodes/ESign/ESignTrigger.node';
import { resources } from '../../nodes/ESign/actions';
import type { WorkflowFile } from '../support/n8nServer/apiClient';
import { installPackage, packCopy, projectRoot } from '../support/packing';
import { itemsOf } from './support/nodes';
import { contract } from '../support/serviceClient';
import { setStage, STAGE_TIMEOUT_MS, type Stage } from './support/stage';

/**
 * The package as it is, under the number of a later version: what n8n does when a user updates it.
 */
const NEXT = '99.0.0';

const saved = JSON.parse(
	readFileSync(join(projectRoot, 'test', 'fixtures', 'every-parameter.json'), 'utf8'),
) as WorkflowFile;

const ours = saved.nodes.filter(({ type }) => type.startsWith('n8n-nodes-esign.'));

describe('A workflow that uses every operation', () => {
	const nodeTypes = {
		'n8n-nodes-esign.eSign': new ESign().description,
		'n8n-nodes-esign.eSignTrigger': new ESignTrigger().description,
	};

	it('holds every operation', () => {
		const held = new Set(
			ours.map(
				({ parameters }) => `${String(parameters.resource)}:${String(parameters.operation)}`,
			),
		);
		const registered = resources.flatMap(({ option: resource, operations }) =>
			operations.map(({ option }) => `${resource.value}:${option.value}`),
		);
		expect([...held]).toEqual(expect.arrayContaining(registered));
	});

	it.each(ours.map((node): [string, INode] => [node.name, node]))(
		'"%s" keeps every parameter: n8n takes none for unknown or out of place',
		(_name, node) => {
			const description = nodeTypes[node.type as keyof typeof nodeTypes];
			const known = NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters,
				true,
				false,
				node,
				description,
			);
			expect(known).toMatchObject(node.parameters);
		},
	);
});

describe('The package is replaced in place by a later version', () => {
	let stage: Stage;
	let workflowId: string;
	let endpoints: unknown[];

	beforeAll(async () => {
		stage = await setStage();
		const credentials = { eSignApi: { id: stage.credentialId, name: 'eSign account' } };
		const nodes = saved.nodes.map((node) =>
			ours.includes(node) ? { ...node, credentials } : node,
		);
		workflowId = (await stage.n8n.api.createWorkflow({ ...saved, nodes })).id;
		await stage.n8n.api.publish(workflowId);
	}, STAGE_TIMEOUT_MS);
	afterAll(async () => {
		await stage?.close();
	});

	async function installedVersion(): Promise<unknown> {
		const folder = join(stage.n8n.userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-esign');
		return (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as IDataObject)
			.version;
	}

	/**
	 * Posts a contract to the workflow, has the document that it sends signed, and waits for all that
	 * follows.
	 */
	async function mainJob(): Promise<void> {
		const { api, url } = stage.n8n;
		const before = (await api.executions(workflowId)).length;
		const form = new FormData();
		form.append(
			'contract',
			new Blob([new Uint8Array(contract)], { type: 'application/pdf' }),
			'contract.pdf',
		);
		const response = await fetch(`${url}/webhook/every-parameter`, { method: 'POST', body: form });
		const [document] = (await response.json()) as Array<{
			id: string;
			recipients: Array<{ id: string }>;
		}>;
		expect(document).toMatchObject({
			title: expect.stringMatching(/^Every parameter \d+$/) as string,
			status: 'in_progress',
		});
		await stage.sandbox.control.sign(String(document?.recipients[0]?.id));
		const execution = (await api.finishedExecutions(workflowId, before + 2)).at(-1);
		expect(execution?.status).toBe('success');
		expect(itemsOf(execution, 'eSign Trigger')).toMatchObject([
			{ json: { document: { id: document?.id } }, binary: { signed: {}, certificate: {} } },
		]);
		expect(itemsOf(execution, 'Download its files').map(({ json }) => json.variant)).toEqual([
			'signed',
			'certificate',
			'original',
		]);
	}

	it('before: the workflow sends, and its trigger fires', async () => {
		expect(await installedVersion()).not.toBe(NEXT);
		await mainJob();
		endpoints = await stage.service.endpoints();
		expect(endpoints).toHaveLength(1);
	});

	it('after: the trigger has the endpoint that it had, no twin, and gets what was signed in between', async () => {
		const before = (await stage.n8n.api.executions(workflowId)).length;
		await stage.n8n.stop();
		const later = await packCopy(NEXT);
		await installPackage(stage.n8n.userFolder, later.path);
		await later.remove();
		expect(await installedVersion()).toBe(NEXT);
		const { id } = await stage.service.complete('Signed during the upgrade', ['ada@example.com']);
		await stage.sandbox.control.advance(20);
		await stage.n8n.start();
		const [execution] = (await stage.n8n.api.finishedExecutions(workflowId, before + 1)).slice(
			before,
		);
		expect(itemsOf(execution, 'eSign Trigger')).toMatchObject([{ json: { document: { id } } }]);
		expect(await stage.service.endpoints()).toEqual(endpoints);
	});

	it('after: the workflow, as it was saved, sends, and its trigger fires', async () => {
		await mainJob();
		expect(await stage.service.endpoints()).toEqual(endpoints);
	});
});
