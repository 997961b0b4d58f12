import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
	NodeHelpers,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { ESign } from '../../nodes/ESign/ESign.node';
import { findOperation, resources } from '../../nodes/ESign/actions';
import type { Operation } from '../../nodes/ESign/operation/operation';
import { N8n } from '../support/n8nCore/n8n';
import { ENDPOINTS } from '../../nodes/ESign/client';
import { registered } from './support/registered';

/** The cells of all tables of a page. */
const rowsOf = (page: string): string[][] =>
	readFileSync(path.join(__dirname, '../..', page), 'utf8')
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) => line.split('|').map((cell) => cell.trim()));

/** The endpoints of each operation in the table of docs/operations.md. */
const inTable = new Map<string, string[]>();
let [resource, before] = ['', [] as string[]];
for (const [, first = '', operations = '', called = ''] of rowsOf('docs/operations.md')) {
	const endpoints = [...called.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(
		([, endpoint = '']) => endpoint,
	);
	if (endpoints.length === 0) continue;
	resource = first || resource;
	before = called.startsWith('the same') ? [...before, ...endpoints] : endpoints;
	for (const operation of operations.split(', ')) inTable.set(`${resource}: ${operation}`, before);
}

/** The operations in the table of README, which stands below its head. */
const inReadme: string[] = [];
const readmeRows = rowsOf('README.md');
const head = readmeRows.findIndex(([, first]) => first === 'resource');
for (const [, first = '', operations = ''] of readmeRows.slice(head + 2)) {
	if (first === 'event') break;
	resource = first || resource;
	for (const operation of operations.split(', ')) inReadme.push(`${resource}: ${operation}`);
}

const { properties } = new ESign().description;
const dropdowns = (name: string) => properties.filter((property) => property.name === name);
const namesOf = ({ options = [] }: INodeProperties) => options.map(({ name }) => name);

describe('The registry', () => {
	it('has an operation for each endpoint of the service', () => {
		expect(new Set(registered.map(({ endpoints }) => endpoints[0]))).toEqual(
			new Set(Object.keys(ENDPOINTS)),
		);
	});

	it.each(registered)('$name stands in docs/operations.md', ({ labels, endpoints }) => {
		expect(inTable.get(labels.join(': '))).toEqual(expect.arrayContaining(endpoints));
	});

	it('has every operation that stands there, and so has README', () => {
		const names = registered.map(({ labels }) => labels.join(': ')).sort();
		expect([...inTable.keys()].sort()).toEqual(names);
		expect(inReadme.sort()).toEqual(names);
	});

	it('finds every operation by the values of a saved workflow, and no other', () => {
		for (const { resource, operation } of registered) {
			expect(findOperation(resource, operation)?.option.value).toBe(operation);
		}
		expect(findOperation('document', 'delete')).toBeUndefined();
		expect(findOperation('envelope', 'get')).toBeUndefined();
	});
});

describe('The dropdowns', () => {
	it('list resources and operations in alphabetical order', () => {
		for (const dropdown of [...dropdowns('resource'), ...dropdowns('operation')]) {
			expect(namesOf(dropdown)).toEqual(
				[...namesOf(dropdown)].sort((left, right) => left.localeCompare(right)),
			);
		}
	});

	it('preselect an operation that the resource has', () => {
		for (const { default: preset, options = [] } of dropdowns('operation')) {
			expect((options as INodePropertyOptions[]).map(({ value }) => value)).toContain(preset);
		}
	});

	it('offer a model everything but to wait, for it cannot sleep for weeks', () => {
		const { description } = new ESign();
		const offeredTo = (name: string) => {
			const type = { ...description, name } as INodeTypeDescription;
			const isShown = (option: object) =>
				NodeHelpers.displayParameter({}, option as INodeProperties, null, type);
			const all = dropdowns('operation').flatMap(({ options = [] }) => options);
			return all.filter(isShown).map(({ name }) => name);
		};
		const all = offeredTo('eSign');
		expect(all).toHaveLength(registered.length);
		expect(offeredTo('eSignTool')).toEqual(all.filter((name) => name !== 'Wait for Completion'));
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

	it.each(operations.map(({ option }) => option.action))(
		'names the action without an article: %s',
		(action) => {
			expect(action).toMatch(
				/^[A-Z][a-z]+( [a-z]+)+( \((billed|final|old URL ends|replaces all)\))?$/,
			);
			expect(action).not.toMatch(/ (a|an|the) /);
		},
	);

	it.each(['ESign', 'ESignTrigger'])(
		'finds %s by words of the trade, not by the mark of another',
		(node) => {
			const codex = readFileSync(
				path.join(__dirname, `../../nodes/ESign/${node}.node.json`),
				'utf8',
			);
			const { alias } = JSON.parse(codex) as { alias: string[] };
			expect(alias).toEqual(expect.arrayContaining(['e-signature', 'contract']));
			expect(alias.join(' ')).not.toMatch(
				/docusign|hellosign|dropbox|pandadoc|adobe|signnow|docuseal|signwell/i,
			);
		},
	);
});

describe('The subtitle', () => {
	it('is short: operation and resource, as n8n evaluates it on the canvas', () => {
		const n8n = new N8n(
			{ esign: new ESign() },
			{ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_x' },
		);
		const subtitleOf = (resource: string, operation: string) => {
			const workflow = n8n.workflow([
				{ name: 'eSign', type: 'esign', parameters: { resource, operation } },
			]);
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

	it('in a collection is shown by another of the same collection: n8n 1.x publishes no workflow with anything else', () => {
		const collections = properties.filter(({ type }) => /collection$/i.test(type));
		const rows = collections.flatMap(({ type, options = [] }) =>
			type === 'collection' ? [options] : options.map((row) => ('values' in row ? row.values : [])),
		);
		expect(rows.length).toBeGreaterThan(10);
		for (const row of rows as INodeProperties[][]) {
			const shownBy = row.flatMap(({ displayOptions: { show, hide } = {} }) =>
				Object.keys({ ...show, ...hide }),
			);
			expect(row.map(({ name }) => name)).toEqual(expect.arrayContaining(shownBy));
		}
	});

	const withRows = (list: INodeProperties[]): INodeProperties[] =>
		list.flatMap((property) => [
			property,
			...(property.options ?? []).flatMap((option) =>
				'values' in option ? withRows(option.values) : 'type' in option ? withRows([option]) : [],
			),
		]);

	it('begins with a number within its own bounds', () => {
		const numbers = withRows(properties).filter(({ type }) => type === 'number');
		expect(numbers.length).toBeGreaterThan(10);
		for (const { default: preset, typeOptions } of numbers) {
			expect(preset).toBeGreaterThanOrEqual(typeOptions?.minValue ?? -Infinity);
			expect(preset).toBeLessThanOrEqual(typeOptions?.maxValue ?? Infinity);
		}
	});

	it('makes a field required, as the service does (docs/service.md section 2)', () => {
		const toggles = withRows(properties).filter(({ name }) => name === 'required');
		expect(new Set(toggles.map(({ default: preset }) => preset))).toEqual(new Set([true]));
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
		['document', 'updateRecipients', /replaces all/],
		['document', 'updateFields', /replaces all/],
		['template', 'send', /by email.*billed/],
		['templateLink', 'create', /public/],
		['templateLink', 'rotate', /old URL ends/],
		['templateLink', 'delete', /final/],
		['webhook', 'delete', /final/],
	])(
		'%s: %s says what cannot be taken back, whom it writes to and what it costs',
		(resource, operation, fact) => {
			expect(told(resource, operation)).toMatch(fact);
		},
	);

	it('fits into the 64 characters of the name that a model calls it by', () => {
		const names = registered.map(({ resource, operation }) => told(resource, operation));
		expect(names.filter((name) => name.length > 64)).toEqual([]);
	});
});
