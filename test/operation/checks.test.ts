import { ExpressionParser } from 'n8n-workflow';
import { isFit } from '../../nodes/ESign/operation/parameters/checks/text';
import {
	isLeftOut,
	partOf,
	refusedForGlue,
	refusedForExpressionText,
} from '../../nodes/ESign/operation/parameters/checks/parameterValue';
import { jsonList } from '../../nodes/ESign/operation/parameters';

describe('A word of JavaScript that an expression glued into a text', () => {
	const isRefused = (raw: string, value: unknown) => refusedForGlue({ raw, value }, jest.fn());

	it.each([
		['={{ $json.first + " " + $json.last }}', 'undefined undefined'],
		['={{ $json.first + $json.last }}', 'Adaundefined'],
		['={{ $json.first + $json.last }}', 'nullnull'],
		['={{ `${$json.first}_${$json.last}@example.com` }}', 'null_null@example.com'],
		['={{ [$json.first, $json.client].join(" ") }}', 'Ada [object Object]'],
		['={{ String($json.first) }}', 'undefined'],
		['={{ "Mr NAME".replace("NAME", $json.last) }}', 'Mr null'],
		['=NDA with {{ $json.client }}', 'NDA with [object Object]'],
		['=NDA with {{ "" + $json.company }} and us', 'NDA with null and us'],
		['={{ $json.price * 2 + " EUR" }}', 'NaN EUR'],
		['={{ $json.names.map((name) => name + "") }}', ['undefined']],
	])('is refused: %s as %j', (raw, value) => expect(isRefused(raw, value)).toBe(true));

	it.each([
		['undefined undefined', 'undefined undefined'],
		['={{ $json.name }}', 'null'],
		['={{ $("A form").first().json["Full name"] || $json.name }}', 'undefined'],
		['={{ $fromAI("name", ``, "string") + " Ltd" }}', 'null Ltd'],
		['={{ $json.first + " " + $json.last }}', 'Ada Null'],
		['={{ $json.first + " " + $json.last }}', 'Nan Nullmeier'],
		['=Terms left undefined: {{ $json.terms }}', 'Terms left undefined: 3'],
		['={{ "undefined terms of " + $json.name }}', 'undefined terms of Ada'],
		['=Clause: {{ $json.clause }}', 'Clause: the contract is null and void, also null und nichtig'],
		['={{ $json.amount + 1 }}', 7],
	])('passes where somebody wrote it, or another: %s as %j', (raw, value) =>
		expect(isRefused(raw, value)).toBe(false),
	);

	it.each([
		['={{ $json.a }} "{{ $json.nope }}"', true],
		['="{{ $json.nope }}" {{ $json.a }}', true],
		['={{ $json.t.split("{{")[0] }}', false],
		['={{ `${$json.a} {{` }}', false],
		['=\\{{ nope }} {{ $json.a }}', false],
		['={{ $json.a }} {{ syntax( }}', false],
	])('leaves a gap where a part gives nothing, split as n8n does: %s', (raw, isRefused) => {
		const refuse = jest.fn();
		const evaluate = (part: string) => {
			if (/^\{\{ (syntax|.*[^}]$)/.test(part)) throw new Error('invalid syntax');
			return part.includes('nope') ? undefined : 'A';
		};
		expect(refusedForGlue({ raw, value: 'A', evaluate }, refuse)).toBe(isRefused);
		if (isRefused) expect(refuse.mock.calls[0]).not.toContain('nope');
	});

	it.each([
		['={{ $json.people }}', false],
		['={{ $json.people.map((one) => ({ name: one.first + " " + one.last })) }}', true],
		['=[{"name": "{{ $json.first + " " + $json.last }}", "phone": null}]', true],
	])('is looked for in a list as JSON that the expression %s builds', (raw, isBuilt) => {
		const [entry] = jsonList({ raw, value: [{}] }, 'recipients', jest.fn()) ?? [];
		expect(refusedForGlue({ value: 'null null', isGlued: entry?.isGlued }, jest.fn())).toBe(
			isBuilt,
		);
	});

	it('is looked for in a list without reading its expression anew for each value', () => {
		const value = Array.from({ length: 500 }, () => ({ name: 'Ada' }));
		const raw = `=[${value.map(() => '{"name": "{{ $json.name }}"}').join()}]`;
		const split = jest.spyOn(ExpressionParser, 'splitExpression');
		const entries = jsonList({ raw, value }, 'recipients', jest.fn()) ?? [];
		for (const entry of entries) {
			expect(refusedForGlue(partOf(entry, 'name'), jest.fn())).toBe(false);
		}
		const readings = split.mock.calls.filter(([text]) => text === raw);
		expect(readings.length).toBeLessThan(5);
		split.mockRestore();
	});
});

describe('The text of an expression', () => {
	const refuse = jest.fn();

	const FIXED = 'Contract for {{ $json.company }}';

	it.each<[unknown, unknown]>([
		[FIXED, FIXED],
		["{{ $('Form').item.json.name }}", undefined],
		['{{ $now.toISODate() }}', undefined],
		['{{ "a" + $json["b"] }}', undefined],
		[['data', '{{ $json.file }}'], undefined],
		['$json.title', undefined],
		[' $json["Full name"] ', undefined],
		["$('Form').first().json.title", undefined],
		['{{ $json.name }}', '={{ $json.template }}'],
	])('is refused, wherever it was left: %j', (value, raw) => {
		refuse.mockClear();
		expect(refusedForExpressionText({ value, raw }, refuse)).toBe(true);
		const [what, remedy] = (refuse.mock.calls as string[][])[0] ?? [];
		expect(what).toMatch(/^contains an expression as text/);
		expect(remedy).toMatch(raw === FIXED ? /^Switch it to Expression$/ : /in an earlier node$/);
	});

	it.each([
		'Contract for {{company}}',
		'{{ 5 }} and $json',
		'$5,000 a month',
		'$json is what we call it',
		'A price in $ {{ as agreed }}',
		'{{ $json.unclosed',
		42,
		undefined,
	])('is not what stands in %j', (value) =>
		expect(refusedForExpressionText({ value }, refuse)).toBe(false),
	);
});

describe('What a model writes for nothing', () => {
	const BY_MODEL = "={{ $fromAI('phone', ``, 'string') }}";

	it.each<[unknown, unknown, boolean]>([
		['null', BY_MODEL, true],
		[' None ', BY_MODEL, true],
		['undefined', BY_MODEL, true],
		['n/a', BY_MODEL, true],
		['NA', BY_MODEL, true],
		['""', BY_MODEL, true],
		['"Ada"', BY_MODEL, false],
		['', BY_MODEL, true],
		['Mr Null', BY_MODEL, false],
		['None of these', BY_MODEL, false],
		[0, BY_MODEL, false],
		['null', '={{ $json.name }}', false],
		['None', 'None', false],
	])('is nothing from a model alone: %j as %s', (value, raw, is) =>
		expect(isLeftOut({ value, raw })).toBe(is),
	);

	it('is nothing in a list that it wrote as JSON, too', () => {
		const given = { value: [{ phone: 'N/A' }], raw: "={{ $fromAI('people', ``, 'json') }}" };
		const [entry] = jsonList(given, 'recipients', jest.fn()) ?? [];
		expect(isLeftOut({ ...entry, value: 'N/A' })).toBe(true);
	});
});

describe('A list as JSON', () => {
	const ADA = { email: 'ada@example.com' };
	const read = (value: unknown) => {
		const refuse = jest.fn();
		const list = jsonList({ value }, 'recipients', refuse);
		return list?.map((one) => one.value) ?? (refuse.mock.calls as string[][])[0]?.[0];
	};
	const text = JSON.stringify([ADA, ADA]);

	it.each<[string, unknown, unknown[]]>([
		['a list', [ADA], [ADA]],
		['a single object', ADA, [ADA]],
		['the body of a request', { recipients: [ADA] }, [ADA]],
		['text with a mark of its encoding', `\ufeff${text}`, [ADA, ADA]],
		['nothing', '', []],
		['the text null', 'null', []],
	])('may be %s', (_, value, list) => expect(read(value)).toEqual(list));

	it.each<[string, unknown, string]>([
		[
			'is no JSON, without a quote',
			'[\n{"pin": "4711" "phone": 1}]',
			'is not valid JSON at position 17',
		],
		['is a number', '42', 'is neither a list nor an object'],
		['is true', true, 'is neither a list nor an object'],
	])('is refused if it %s', (_, value, what) => expect(read(value)).toBe(what));
});

it.each([
	['Offer \ud83d', 'half of a character'],
	['\ude00 Offer', 'half of a character'],
	['Of\0fer', 'U+0000'],
	['Of\u001bfer', 'U+001B'],
	['Of\u007ffer', 'U+007F'],
	['Erste Zeile\r\n\tzweite\v\f 😀 👩‍👩‍👧 ❤️ \u0093', ''],
])('Of the text %j the service would get another: %s', (text, why) => {
	const refuse = jest.fn();
	expect(isFit(text, Infinity, refuse)).toBe(why === '');
	expect((refuse.mock.calls as string[][])[0]?.[0] ?? '').toContain(why);
});
