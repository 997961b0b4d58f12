import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NodeHelpers, type INodeProperties, type INodePropertyOptions, type INodeTypeDescription } from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { findOperation, resources } from '../../nodes/ESign/actions';
import type { Operation } from '../../nodes/ESign/actions/operation';
import { N8n } from '../../harness/n8nCore/n8n';
import { ENDPOINTS } from '../../nodes/ESign/client';

/** docs/service.md section 4, every endpoint of it, and the operation that reaches it. */
const OPERATION_OF_ENDPOINT = {
	'GET /account': 'account:get',
	'GET /templates': 'template:getAll',
	'GET /templates/{id}': 'template:get',
	'POST /templates/{id}/send': 'template:send',
	'POST /files': 'file:upload',
	'GET /documents': 'document:getAll',
	'POST /documents': 'document:create',
	'GET /documents/{id}': 'document:get',
	'POST /documents/{id}/send': 'document:send',
	'POST /documents/{id}/cancel': 'document:cancel',
	'POST /documents/{id}/remind': 'document:remind',
	'PUT /documents/{id}/recipients': 'document:updateRecipients',
	'PUT /documents/{id}/fields': 'document:updateFields',
	'GET /documents/{id}/files/{variant}': 'document:download',
	'POST /documents/{id}/recipients/{recipientId}/embed-link': 'document:createEmbedLink',
	'POST /templates/{id}/links': 'templateLink:create',
	'GET /templates/{id}/links': 'templateLink:getAll',
	'GET /template-links/{linkId}': 'templateLink:get',
	'POST /template-links/{linkId}/rotate': 'templateLink:rotate',
	'DELETE /template-links/{linkId}': 'templateLink:delete',
	'POST /webhooks': 'webhook:create',
	'GET /webhooks': 'webhook:getAll',
	'DELETE /webhooks/{id}': 'webhook:delete',
	'GET /webhooks/{id}/deliveries': 'webhookDelivery:getAll',
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': 'webhookDelivery:replay',
};

/** Operations made of several endpoints. */
const COMPOSITES = ['document:createAndSend', 'document:wait', 'webhookDelivery:replayFailed'];

const registered = resources.flatMap(({ option: resource, operations }) =>
	operations.map(({ option }) => `${resource.value}:${option.value}`),
);
const { properties } = new ESign().description;
const dropdowns = (name: string) => properties.filter((property) => property.name === name);
const namesOf = ({ options = [] }: INodeProperties) => options.map(({ name }) => name);

describe('The registry', () => {
	it('has an operation for each of the 25 endpoints', () => {
		expect(Object.keys(OPERATION_OF_ENDPOINT)).toHaveLength(25);
		expect(registered).toEqual(expect.arrayContaining(Object.values(OPERATION_OF_ENDPOINT)));
	});

	it('has no operation beside these and the composite ones', () => {
		expect([...registered].sort()).toEqual([...Object.values(OPERATION_OF_ENDPOINT), ...COMPOSITES].sort());
	});

	it('names the endpoints that the client knows', () => {
		expect(Object.keys(ENDPOINTS).sort()).toEqual(Object.keys(OPERATION_OF_ENDPOINT).sort());
	});

	it('finds every operation by the values of a saved workflow, and no other', () => {
		for (const name of registered) {
			const [resource = '', operation = ''] = name.split(':');
			expect(findOperation(resource, operation)?.option.value).toBe(operation);
		}
		expect(findOperation('document', 'delete')).toBeUndefined();
		expect(findOperation('envelope', 'get')).toBeUndefined();
	});
});

describe('The dropdowns', () => {
	it('list resources and operations in alphabetical order', () => {
		for (const dropdown of [...dropdowns('resource'), ...dropdowns('operation')]) {
			expect(namesOf(dropdown)).toEqual([...namesOf(dropdown)].sort((left, right) => left.localeCompare(right)));
		}
	});

	it('preselect an operation that the resource has', () => {
		for (const { default: preset, options = [] } of dropdowns('operation')) {
			expect((options as INodePropertyOptions[]).map(({ value }) => value)).toContain(preset);
		}
	});

	it('give every operation an action of its own', () => {
		const actions = dropdowns('operation').flatMap(({ options = [] }) =>
			(options as INodePropertyOptions[]).map(({ action = '' }) => action),
		);
		expect(new Set(actions).size).toBe(registered.length);
	});
});

describe('What the node creator shows', () => {
	const operations: readonly Operation[] = resources.flatMap(({ operations: list }) => [...list]);

	it.each(operations.map(({ option }) => option.action))('names the action without an article: %s', (action) => {
		expect(action).toMatch(/^[A-Z][a-z]+( [a-z]+)+( \((billed|final|old URL ends)\))?$/);
		expect(action).not.toMatch(/ (a|an|the) /);
	});

	it.each(['ESign', 'ESignTrigger'])('finds %s by words of the trade, not by the mark of another', (node) => {
		const codex = readFileSync(path.join(__dirname, `../../nodes/ESign/${node}.node.json`), 'utf8');
		const { alias } = JSON.parse(codex) as { alias: string[] };
		expect(alias).toEqual(expect.arrayContaining(['e-signature', 'contract']));
		expect(alias.join(' ')).not.toMatch(/docusign|hellosign|dropbox|pandadoc|adobe|signnow|docuseal|signwell/i);
	});
});

describe('The subtitle', () => {
	it('is short: operation and resource, as n8n evaluates it on the canvas', () => {
		const n8n = new N8n({ esign: new ESign() }, { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_x' });
		const subtitleOf = (resource: string, operation: string) => {
			const workflow = n8n.workflow([{ name: 'eSign', type: 'esign', parameters: { resource, operation } }]);
			const node = workflow.getNode('eSign');
			const { subtitle = '' } = new ESign().description;
			return node && workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
		};
		expect(subtitleOf('document', 'create')).toBe('create: document');
		expect(subtitleOf('template', 'send')).toBe('send: template');
		expect(subtitleOf('webhookDelivery', 'replayFailed')).toBe('replayFailed: webhookDelivery');
	});
});

describe('A parameter', () => {
	it('is shown for its operation only', () => {
		for (const { name, displayOptions } of properties) {
			if (name === 'resource') continue;
			expect(displayOptions?.show?.resource).toHaveLength(1);
			if (name !== 'operation') expect(displayOptions?.show?.operation).toHaveLength(1);
		}
	});

	it('appears once in its operation', () => {
		const places = properties.map(({ name, displayOptions }) =>
			JSON.stringify([name, displayOptions?.show?.resource, displayOptions?.show?.operation]),
		);
		expect(new Set(places).size).toBe(places.length);
	});
});

describe('What n8n tells a model of an operation that is used as a tool', () => {
	const { description } = new ESign();
	const told = (resource: string, operation: string) =>
		NodeHelpers.makeDescription({ resource, operation }, description as INodeTypeDescription);

	it.each([
		['document', 'createAndSend', /send.*billed/],
		['document', 'create', /^Create draft document/],
		['document', 'send', /by email.*billed/],
		['document', 'cancel', /final/],
		['document', 'remind', /by email/],
		['document', 'updateRecipients', /^Replace/],
		['document', 'updateFields', /^Replace/],
		['template', 'send', /by email.*billed/],
		['templateLink', 'create', /public/],
		['templateLink', 'rotate', /old URL ends/],
		['templateLink', 'delete', /final/],
		['webhook', 'delete', /final/],
	])('%s: %s says what cannot be taken back, whom it writes to and what it costs', (resource, operation, fact) => {
		expect(told(resource, operation)).toMatch(fact);
	});

	it('fits into the 64 characters of the name that a model calls it by', () => {
		const names = registered.map((name) => told(...(name.split(':') as [string, string])));
		expect(names.filter((name) => name.length > 64)).toEqual([]);
	});
});
