import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeHelpers, type IDataObject, type INode, type INodeTypeDescription } from 'n8n-workflow';
import {
	exampleNames,
	examplesFolder,
	lostValues,
	openChoices,
	ownNodes,
	readExample,
} from './support/examples';
import { ServiceClient, type Delivery } from './support/serviceClient';
import { ESign } from '../nodes/ESign/ESign.node';
import { ESignTrigger } from '../nodes/ESign/ESignTrigger.node';
import { EVENTS } from '../nodes/ESign/service/events';
import { startSandbox } from '../sandbox';

const action = new ESign().description;
const descriptions: Record<string, INodeTypeDescription> = {
	'n8n-nodes-esign.eSign': action,
	'n8n-nodes-esign.eSignTrigger': new ESignTrigger().description,
	// What n8n adds when it makes a tool of the action node.
	'n8n-nodes-esign.eSignTool': {
		...action,
		properties: [
			{ displayName: '', name: 'descriptionType', type: 'options', options: [], default: 'auto' },
			{ displayName: '', name: 'toolDescription', type: 'string', default: '' },
			...action.properties,
		],
	},
};

const descriptionOf = ({ type }: INode): INodeTypeDescription => {
	const description = descriptions[type];
	if (!description) throw new Error(`There is no node type ${type}`);
	return description;
};

describe.each(exampleNames)('The example %s', (name) => {
	const workflow = readExample(name);

	it('finds the credential by the name that n8n gives a new one, and asks for no other', () => {
		for (const node of workflow.nodes) {
			const ours = ownNodes(workflow).includes(node);
			expect([node.name, node.credentials]).toEqual([
				node.name,
				ours ? { eSignApi: { id: null, name: 'eSign account' } } : undefined,
			]);
		}
	});

	it('can be imported any number of times: n8n makes the addresses of its triggers', () => {
		for (const { name: ofNode, webhookId, parameters } of workflow.nodes) {
			const { path, options } = parameters as { path?: string; options?: { path?: string } };
			expect([ofNode, webhookId, path, options?.path]).toEqual([
				ofNode,
				undefined,
				undefined,
				undefined,
			]);
		}
	});

	it('holds nothing of the n8n and of the workspace that it was made in', () => {
		const { nodes, connections, settings, pinData, ...others } = workflow;
		expect(Object.keys(others)).toEqual(['name']);
		expect(settings).toEqual({ executionOrder: 'v1' });
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
		expect(
			Object.keys(connections).filter((from) => !nodes.some((node) => node.name === from)),
		).toEqual([]);
		expect(
			Object.keys(pinData ?? {}).filter((pinned) => !nodes.some((node) => node.name === pinned)),
		).toEqual([]);
		expect(JSON.stringify(nodes)).not.toMatch(/"(?:doc|tpl|whk?|rcp)_\w{8}/);
	});

	it.each(ownNodes(workflow))(
		'$name has parameters that the node knows, and all that it requires',
		(node) => {
			const description = descriptionOf(node);
			expect([description.version].flat()).toContain(node.typeVersion);
			expect(lostValues(node, node, description)).toEqual([]);
			const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
			const toChoose = openChoices(node).map(({ parameter }) => parameter);
			expect(Object.keys(issues?.parameters ?? {})).toEqual(toChoose);
		},
	);

	it('reads only nodes that it has', () => {
		const read = [...JSON.stringify(workflow.nodes).matchAll(/\$\('([^']+)'\)/g)].map(
			([, node]) => node,
		);
		expect(read.filter((wanted) => !workflow.nodes.some((node) => node.name === wanted))).toEqual(
			[],
		);
	});

	it('is run by a test in the editor of a real n8n', () => {
		const folder = join(__dirname, 'e2e', 'examples');
		const tests = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
		const runs = tests.map((file) => readFileSync(join(folder, file), 'utf8')).join('');
		expect(runs).toMatch(new RegExp(`workshop\\.(?:publish|import)\\('${name}'`));
	});

	it('has a picture, and a line in the README of the examples', () => {
		const readme = readFileSync(join(examplesFolder, 'README.md'), 'utf8');
		expect(readme).toContain(`](${name}.json)`);
		expect(readme).toContain(`](pictures/${name}.png)`);
		expect(existsSync(join(examplesFolder, 'pictures', `${name}.png`))).toBe(true);
	});
});

it('the sample events have what the service delivers for each of the seven', async () => {
	const sandbox = await startSandbox({ rateLimit: 0 });
	const { control } = sandbox;
	const service = new ServiceClient(sandbox.url, sandbox.keys.test);
	const events = Object.keys(EVENTS);
	const { id } = await service.api<{ id: string }>('POST', '/webhooks', {
		url: 'http://127.0.0.1:9/',
		events,
	});
	const [signed, declined, expired, cancelled] = [
		await service.complete('Service agreement', ['ada@example.com']),
		await service.send('Service agreement', ['ada@example.com']),
		await service.send('Service agreement', ['ada@example.com']),
		await service.send('Service agreement', ['ada@example.com']),
	];
	await control.view(declined.recipients[0]?.id ?? '');
	await control.decline(declined.recipients[0]?.id ?? '');
	await control.expire(expired.id);
	await service.api('POST', `/documents/${cancelled.id}/cancel`);
	const { data } = await service.api<{ data: Delivery[] }>(
		'GET',
		`/webhooks/${id}/deliveries?limit=100`,
	);
	await sandbox.close();
	expect(signed.status).toBe('completed');

	/** Without what is of the one delivery: IDs, names and times. */
	const inGeneral = (payload: IDataObject) =>
		JSON.parse(
			JSON.stringify(payload, (key, value: unknown) =>
				['id', 'occurred_at', 'name', 'email'].includes(key) ? typeof value : value,
			),
		) as IDataObject;
	const [samples = []] = Object.values(readExample('sample-events').pinData ?? {});
	for (const event of events) {
		const sample = samples.map(({ json }) => json).filter((json) => json.event === event);
		const delivered = data.find((delivery) => delivery.event === event)?.payload;
		expect(sample.map(inGeneral)).toEqual([inGeneral(delivered as IDataObject)]);
	}
});
