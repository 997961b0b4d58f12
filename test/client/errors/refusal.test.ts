import type { IDataObject } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiContext } from '../../../nodes/ESign/client';
import { fieldLabel } from '../../../nodes/ESign/client/errors/refusal';
import type { CallSite } from '../../../nodes/ESign/client/call/call';
import { refusal } from '../../../nodes/ESign/client/errors/refusal';
import { ERROR_CATALOGUE } from '../../../nodes/ESign/service/errors';
import { NODE } from '../support/node';

const [, ERRORS = ''] = readFileSync(join(__dirname, '../../../docs/service.md'), 'utf8').split(
	'## 7. Errors',
);

/**
 * The table of codes of docs/service.md section 7 but that of the rate limit, which is waited out.
 * `:<...>` marks those that append a detail.
 */
const CODES = [...ERRORS.matchAll(/^\| (`[a-z_:`, <>0-9]+`) \| (4\d\d) \|/gm)]
	.flatMap(([, codes = '', status]) =>
		[...codes.matchAll(/`([a-z_]+)(:?)/g)].map(([, code = '', detail]) => ({
			code,
			status: Number(status),
			hasDetail: detail === ':',
		})),
	)
	.filter(({ status }) => status !== 429);

/** The codes of a single object that is not found, or in the wrong state. */
const NAMES_THE_ID =
	/^(document|template|template_link|webhook_endpoint|delivery)_not_\w+$|^no_recipients_to_remind$/;

/** The error for an answer to a request. */
function refused(status: number, answer: unknown, { path }: CallSite['request'] = {}) {
	const context = { getNode: () => NODE } as ApiContext;
	const request = { path, body: { recipients: [{ pin: '7788' }] }, itemIndex: 3 };
	return refusal({ context, endpoint: 'POST /documents', request }, status, answer);
}

function envelope(code: string, more: IDataObject = {}) {
	return { error: { code, message: 'Prose of the service', ...more } };
}

describe('The catalogue of errors', () => {
	it('holds every code of docs/service.md section 7 and no other', () => {
		expect(Object.keys(ERROR_CATALOGUE).sort()).toEqual(CODES.map(({ code }) => code).sort());
	});

	it.each(CODES.filter(({ hasDetail }) => hasDetail))('says what $code appends', ({ code }) => {
		const [message] = ERROR_CATALOGUE[code] ?? [];
		expect(message).toContain('{detail}');
	});
});

describe('A refusal', () => {
	it.each(CODES)(
		'with $code says in words what happened and what to do',
		({ code, status, hasDetail }) => {
			const failure = refused(status, envelope(hasDetail ? `${code}:the detail` : code), {
				path: { id: 'doc_1' },
			});
			const [message = '', remedy] = ERROR_CATALOGUE[code] ?? [];
			const id = NAMES_THE_ID.test(code) ? ': doc_1' : '';
			expect(failure).toMatchObject({
				name: 'NodeApiError',
				message: `${message.replace('{detail}', 'the detail')}${id}`,
				description: `${remedy}\nThe service says: Prose of the service`,
				httpCode: `${status}`,
				context: { code, itemIndex: 3, details: [], extra: {} },
			});
		},
	);

	it('lists every bad value by the label of its parameter', () => {
		const details = [
			{ field: 'recipients.0.email', message: 'must be an email address' },
			{ field: 'fields.11.xNorm', message: 'must be <= 1' },
			{ field: 'field_values.net_worth', message: 'must be a number' },
		];
		const failure = refused(400, envelope('validation_error', { details }));
		expect(failure.description?.split('\n').slice(0, 3)).toEqual([
			'Recipients, entry 1: Email: must be an email address',
			'Fields, entry 12: Left: must be <= 1',
			'Field Values: net_worth: must be a number',
		]);
		expect(failure.context.details).toEqual(details);
	});

	it('puts a single bad value into the message itself', () => {
		const details = [{ field: 'title', message: 'is too long' }];
		const failure = refused(400, envelope('validation_error', { details }));
		expect(failure.message).toBe('The service found the request invalid: Title: is too long');
		expect(failure.description).not.toContain('is too long');
	});

	it.each<[string, Record<string, string>, string]>([
		[
			'delivery_not_found',
			{ id: 'whk_1', deliveryId: 'dlv_1' },
			'This webhook endpoint has no such delivery: dlv_1',
		],
		['template_link_not_found', { linkId: 'lnk_1' }, 'There is no such template link: lnk_1'],
	])('with %s names what it is about', (code, path, message) => {
		expect(refused(404, envelope(code), { path }).message).toBe(message);
	});

	it('hides an ID that was a key', () => {
		const { message } = refused(404, envelope('document_not_found'), {
			path: { id: 'sk_test_pasted' },
		});
		expect(message).toBe('There is no such document: [hidden]');
	});

	it.each([
		[{ known_roles: ['Client', 'Company'] }, 'Roles of the template: Client, Company'],
		[{ missing_roles: ['Company'] }, 'Roles without a recipient: Company'],
		[{ file_ids: ['file_9'] }, 'Files in question: file_9'],
		[{ requiredPlan: 'BUSINESS' }, 'Required plan: BUSINESS'],
		[{ cap: 5 }, 'Limit: 5'],
		[{ other: { a: ['b'] } }, 'Other: {"a":["b"]}'],
	])('spells out %j, inside the envelope or beside it', (extra, words) => {
		for (const answer of [
			envelope('unknown_role', extra),
			{ ...envelope('unknown_role'), ...extra },
		]) {
			const failure = refused(400, answer);
			const [, remedy] = ERROR_CATALOGUE.unknown_role ?? [];
			const said = 'The service says: Prose of the service';
			expect(failure.description?.split('\n')).toEqual([words, remedy, said]);
			expect(failure.context.extra).toEqual(extra);
		}
	});

	it.each([401, 402, 403, 404, 409, 413, 415])(
		'with an unknown code goes by its status %d',
		(status) => {
			const failure = refused(status, envelope('never_heard_of'));
			expect(failure).toMatchObject({ httpCode: `${status}`, context: { code: 'never_heard_of' } });
			expect(failure.message).toMatch(/: Prose of the service$/);
			expect(failure.description).toBeTruthy();
		},
	);

	it.each([
		[418, envelope('teapot'), 'The service refused the request: Prose of the service'],
		// The constructor of NodeApiError takes some words for the name of a system error.
		[
			418,
			{ error: { message: 'A preexisting supermanual' } },
			'The service refused the request: A preexisting supermanual',
		],
		[401, '<html>Unauthorized</html>', 'The service does not accept the API key'],
		[404, '', 'The service did not find what this operation is for'],
		[400, { error: 'bad' }, 'The service found the request invalid'],
		[400, [], 'The service found the request invalid'],
		[
			400,
			{ error: { code: 7, message: null, details: 'none', cap: null } },
			'The service found the request invalid',
		],
		[
			400,
			envelope('x', { details: ['odd', {}] }),
			'The service found the request invalid: Prose of the service',
		],
		[
			400,
			envelope('validation_error', { details: [{ message: 'm' }] }),
			'The service found the request invalid: m',
		],
		[400, envelope('duplicate_email'), 'Two recipients have the same email address: not named'],
		[400, envelope('signer_missing_signature_field:a:b'), 'A signer has no signature field: a:b'],
		[400, envelope("duplicate_email:$&$'@x"), "Two recipients have the same email address: $&$'@x"],
	])('with status %d and the body %j is an error in words', (status, answer, message) => {
		const failure = refused(status, answer);
		expect(failure).toMatchObject({ httpCode: `${status}`, message });
		expect(failure.description).not.toContain('<html>');
	});

	it.each(['constructor', '__proto__', 'toString', 'valueOf'])(
		'whose names are those that every object has (%s) is in words too',
		(name) => {
			const hostile = `{"${name}": "beside", "error": {"code": "${name}", "message": "Prose", "${name}": "$&", "details": [{"field": "${name}", "message": "is bad"}]}}`;
			const failure = refused(400, JSON.parse(hostile));
			expect(failure).toMatchObject({ httpCode: '400', context: { code: name } });
			const label = fieldLabel(name);
			expect(failure.message).toBe(
				`The service found the request invalid: Prose: ${label}: is bad`,
			);
			expect(failure.description).toContain(`${label}: $&`);
		},
	);
});

describe('The label of a bad value', () => {
	it.each([
		['recipients.0.email', 'Recipients, entry 1: Email'],
		['recipients', 'Recipients'],
		['fields[2].dropdownOptions[0]', 'Fields, entry 3: Options to Choose From, entry 1'],
		['/signers/0/placeholder_id', 'Signers, entry 1: Role'],
		['embed.expires_in', 'Embed Options: Expires In'],
		['field_values.email', 'Field Values: email'],
		['unheard_of.0', 'Unheard Of, entry 1'],
		['0', '0'],
		['', ''],
	])('%s is %s', (path, label) => {
		expect(fieldLabel(path)).toBe(label);
	});
});
