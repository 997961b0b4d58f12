import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { ApiRequest, Endpoint } from '../../../nodes/ESign/client';
import { ERROR_CATALOGUE } from '../../../nodes/ESign/service/errors';
import { fieldLabel } from '../../../nodes/ESign/client/errors/fieldLabels';
import { inNode } from '../support/inNode';
import { quickClient } from '../support/quickClient';
import { json, startScripted, type ScriptedService } from '../support/scriptedService';

const [, ERRORS = ''] = readFileSync(join(__dirname, '../../../docs/service.md'), 'utf8').split('## 7. Errors');

/** The table of codes of docs/service.md section 7. `:<...>` marks those that append a detail. */
const CODES = [...ERRORS.matchAll(/^\| (`[a-z_:`, <>0-9]+`) \| (4\d\d) \|/gm)].flatMap(([, codes = '', status]) =>
	[...codes.matchAll(/`([a-z_]+)(:?)/g)].map(([, code = '', detail]) => ({
		code,
		status: Number(status),
		hasDetail: detail === ':',
	})),
);

/** The codes of a single object that is not found, or in the wrong state. */
const NAMES_THE_ID = /^(document|template|template_link|webhook_endpoint)_not_\w+$|^no_recipients_to_remind$/;

let service: ScriptedService;
let status = 400;
let body: unknown;
let headers: Record<string, string> = {};

beforeAll(async () => {
	service = await startScripted((_, response) => {
		if (status === 0) return response.destroy();
		if (typeof body !== 'string') return json(response, status, body, headers);
		response.writeHead(status, { 'content-type': 'text/html' });
		response.end(body);
	});
});
beforeEach(() => {
	service.seen.length = 0;
	headers = {};
});
afterAll(async () => await service.close());

/** A new one for every call: a 429 is remembered. */
const newTransport = () => quickClient({ attempts: 2 });

async function failureOf(
	answer: { status: number; body: unknown },
	endpoint: Endpoint = 'POST /documents',
	request: ApiRequest = {},
): Promise<NodeApiError> {
	({ status, body } = answer);
	const path = { id: 'doc_1', linkId: 'lnk_1' };
	const run = inNode(
		service.credential,
		async (context) => await newTransport().call(context, endpoint, { path, ...request }),
	);
	return await run.then(
		() => {
			throw new Error('The call did not fail');
		},
		(error: NodeApiError) => error,
	);
}

function envelope(code: string, more: IDataObject = {}) {
	return { error: { code, message: 'Prose of the service', ...more } };
}

describe('The catalogue of errors', () => {
	it('holds every code of docs/service.md section 7 and no other', () => {
		expect(Object.keys(ERROR_CATALOGUE).sort()).toEqual(CODES.map(({ code }) => code).sort());
	});

	it.each(CODES.filter(({ hasDetail }) => hasDetail))('says what $code appends', ({ code }) => {
		expect(ERROR_CATALOGUE[code]?.message).toContain('{detail}');
	});
});

describe('A refusal', () => {
	it.each(CODES)(
		'with $code says in words what happened and what to do',
		async ({ code, status: withStatus, hasDetail }) => {
			headers = withStatus === 429 ? { 'retry-after': '3600' } : {};
			const sent = hasDetail ? `${code}:the detail` : code;
			const failure = await failureOf({ status: withStatus, body: envelope(sent) }, 'GET /documents/{id}', {
				itemIndex: 3,
			});
			expect(failure).toMatchObject({
				name: 'NodeApiError',
				httpCode: `${withStatus}`,
				context: { code, itemIndex: 3, details: [], extra: {}, endpoint: 'GET /documents/{id}' },
			});
			const { message, remedy } = ERROR_CATALOGUE[code] ?? { message: '', remedy: '' };
			if (withStatus !== 429) {
				const id = NAMES_THE_ID.test(code) ? ': doc_1' : '';
				expect(failure.message).toBe(`${message.replace('{detail}', 'the detail')}${id}`);
				expect(failure.description).toContain(remedy);
			}
			expect(service.seen).toHaveLength(1);
		},
	);

	it('lists every bad value by the label of its parameter', async () => {
		const details = [
			{ field: 'recipients.0.email', message: 'must be an e-mail address' },
			{ field: 'fields.11.xNorm', message: 'must be <= 1' },
			{ field: 'field_values.net_worth', message: 'must be a number' },
		];
		const failure = await failureOf({ status: 400, body: envelope('validation_error', { details }) });
		expect(failure.description?.split('\n').slice(0, 3)).toEqual([
			'Recipients, entry 1: Email: must be an e-mail address',
			'Fields, entry 12: Left: must be <= 1',
			'Field Values: net_worth: must be a number',
		]);
		expect(failure.context.details).toEqual(details);
	});

	it('puts a single bad value into the message itself', async () => {
		const details = [{ field: 'title', message: 'is too long' }];
		const failure = await failureOf({ status: 400, body: envelope('validation_error', { details }) });
		expect(failure.message).toBe('The service found the request invalid: Title: is too long');
		expect(failure.description).not.toContain('is too long');
	});

	const roles = { recipients: [{ role: 'client' }, { role: 'Witness' }, { role: 'CLIENT' }] };
	it.each<[string, IDataObject, ApiRequest, string]>([
		['unknown_role', { known_roles: ['Client', 'Company'] }, { body: roles }, 'The template has no such role: Witness'],
		['unknown_role', {}, { body: roles }, 'The template has no such role'],
		['duplicate_role', {}, { body: roles }, 'Two recipients have the same role: CLIENT'],
		['missing_roles', { missing_roles: ['Company'] }, {}, 'A role of the template has no recipient: Company'],
		[
			'unknown_file',
			{ file_ids: ['f1', 'f2', 'f3', 'f4'] },
			{},
			'The service does not know one of the files: f1, f2, f3 and 1 more',
		],
		[
			'delivery_not_found',
			{},
			{ path: { id: 'whk_1', deliveryId: 'dlv_1' } },
			'This webhook endpoint has no such delivery: dlv_1',
		],
		['template_link_not_found', {}, { path: { linkId: 'lnk_1' } }, 'There is no such template link: lnk_1'],
		['document_not_found', {}, { path: { id: 'sk_test_pasted' } }, 'There is no such document: [hidden]'],
	])('with %s and %j names what it is about', async (code, extra, request, message) => {
		const ofLink = code === 'template_link_not_found';
		const endpoint = ofLink ? 'GET /template-links/{linkId}' : 'POST /webhooks/{id}/deliveries/{deliveryId}/replay';
		const path: Record<string, string> = ofLink ? {} : { id: 'id', deliveryId: 'dlv' };
		const asked = { ...request, path: { ...path, ...request.path } };
		const failure = await failureOf({ status: 400, body: envelope(code, extra) }, endpoint, asked);
		expect(failure.message).toBe(message);
		// Not once more below it.
		expect(failure.description).not.toContain(message.split(': ')[1] ?? 'nothing');
	});

	it.each([
		[{ known_roles: ['Client', 'Company'] }, 'Roles of the template: Client, Company'],
		[{ missing_roles: ['Company'] }, 'Roles without a recipient: Company'],
		[{ file_ids: ['file_9'] }, 'Files in question: file_9'],
		[{ requiredPlan: 'BUSINESS' }, 'Plan that is needed: BUSINESS'],
		[{ cap: 5 }, 'Most that are allowed: 5'],
	])('spells out %j, inside the envelope or beside it', async (extra, words) => {
		const inside = await failureOf({ status: 400, body: envelope('unknown_role', extra) });
		const beside = await failureOf({ status: 400, body: { ...envelope('unknown_role'), ...extra } });
		for (const failure of [inside, beside]) {
			expect(failure.description).toContain(words);
			expect(failure.context.extra).toEqual(extra);
		}
	});

	it.each([401, 402, 403, 404, 409, 413, 415])('with an unknown code goes by its status %d', async (unknown) => {
		const failure = await failureOf({ status: unknown, body: envelope('never_heard_of') });
		expect(failure).toMatchObject({ httpCode: `${unknown}`, context: { code: 'never_heard_of' } });
		expect(failure.message).toMatch(/: Prose of the service$/);
		expect(failure.description).toBeTruthy();
	});

	it.each([
		[418, envelope('teapot')],
		[401, '<html>Unauthorized</html>'],
		[404, ''],
		[400, { error: 'bad' }],
		[400, []],
		[400, { error: { code: 7, message: null, details: 'none', cap: null } }],
	])('with status %d and a body that is no envelope is still an error in words', async (unknown, answer) => {
		const failure = await failureOf({ status: unknown, body: answer });
		expect(failure.httpCode).toBe(`${unknown}`);
		expect(failure.message).not.toBe('');
		expect(failure.description).not.toContain('<html>');
	});

	it.each(['constructor', '__proto__', 'toString', 'valueOf'])(
		'whose names are those that every object has (%s) is in words too',
		async (name) => {
			const hostile = `{"${name}": "beside", "error": {"code": "${name}", "message": "Prose", "${name}": "$&", "details": [{"field": "${name}", "message": "is bad"}]}}`;
			const failure = await failureOf({ status: 400, body: JSON.parse(hostile) as object });
			expect(failure).toMatchObject({ httpCode: '400', context: { code: name } });
			expect(failure.message).toBe(`The service found the request invalid: Prose: ${name}: is bad`);
			expect(failure.description).toContain(`${name}: $&`);
			const detailed = await failureOf({ status: 400, body: envelope("duplicate_email:$&$'@example.com") });
			expect(detailed.message).toContain("$&$'@example.com");
		},
	);

	it('keeps its words even where they contain the name of a system error', async () => {
		const body = { error: { code: 'x', message: 'A preexisting supermanual' } };
		const failure = await failureOf({ status: 418, body });
		expect(failure.message).toBe('The service refused the request: A preexisting supermanual');
	});
});

describe('An error', () => {
	const pin = 'Secret-Pin-77';
	const request: ApiRequest = { body: { title: 'T', recipients: [{ name: 'A', email: 'a@example.com', pin }] } };
	const leaking = `key ${'sk_test_scriptedkey0000'} secret whsec_abc123 pin ${pin}`;

	const details = [{ field: 'recipients.0.pin', message: leaking }];
	it.each([
		['a refusal', 400, { error: { code: 'validation_error', message: leaking, details, extra: leaking } }],
		['a fault', 500, { error: { code: 'internal_error', message: leaking } }],
		['a page of something else', 502, `<html>${leaking}</html>`],
		['a broken connection', 0, ''],
	])('for %s holds no key, secret or pin anywhere', async (_, answered, answerBody) => {
		const failure = await failureOf({ status: answered, body: answerBody }, 'POST /documents', request);
		const everything = inspect(failure, { depth: Infinity, showHidden: true, getters: true });
		expect(everything).toContain(answered === 0 ? 'the connection broke' : 'NodeApiError');
		expect(everything).not.toContain(service.credential.apiKey);
		expect(everything).not.toContain('whsec_abc123');
		expect(everything).not.toContain(pin);
	});
});

describe('The label of a bad value', () => {
	it.each([
		['recipients.0.email', 'Recipients, entry 1: Email'],
		['recipients', 'Recipients'],
		['fields[2].dropdownOptions[0]', 'Fields, entry 3: Options to Choose From, entry 1'],
		['/signers/0/placeholder_id', 'Signers, entry 1: Role'],
		['embed.expires_in', 'Embed Options: Expires In'],
		['field_values.email', 'Field Values: email'],
		['unheard_of.0', 'unheard_of, entry 1'],
		['0', '0'],
		['', ''],
	])('%s is %s', (path, label) => {
		expect(fieldLabel(path)).toBe(label);
	});
});
