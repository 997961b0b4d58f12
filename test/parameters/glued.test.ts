import { refusedForGlue } from '../../nodes/ESign/parameters/checks/glued';
import { jsonList } from '../../nodes/ESign/parameters/checks/jsonList';

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
	])('passes where somebody wrote it, or another: %s as %j', (raw, value) => expect(isRefused(raw, value)).toBe(false));

	it.each([
		['={{ $json.people }}', 0],
		['={{ $json.people.map((one) => ({ name: one.first + " " + one.last })) }}', 1],
		['=[{"name": "{{ $json.first + " " + $json.last }}", "phone": null}]', 1],
	])('is looked for in a list as JSON that the expression %s builds', (raw, count) => {
		const [entry] = jsonList({ raw, value: [{ name: 'null null' }] }, 'recipients', jest.fn()) ?? [];
		const name = { value: 'null null', isGlued: entry?.isGlued };
		expect(refusedForGlue(name, jest.fn())).toBe(count === 1);
	});
});
