import { misfit } from '../../../nodes/ESign/client/errors/subject';

const request = {
	body: {
		recipients: [
			{ role: 'Client', email: 'ada@example.com' },
			{ role: 'Company', email: 'grace@example.com' },
		],
		field_values: { term_months: 'two years' },
	},
};

describe('A value that the service refuses', () => {
	it('is named with its field and the person whose row it is', () => {
		expect(misfit('invalid_prefill_value', 'field_values.term_months', request)).toBe(
			'Field Values > term_months: "two years" does not fit its field (Client, ada@example.com)',
		);
	});

	it.each([
		['invalid_prefill_value', 'field_values.other', request],
		['invalid_prefill_value', 'title', request],
		['invalid_prefill_value', 'field_values.term_months', undefined],
		['validation_error', 'field_values.term_months', request],
	])('is left to the words of the service where there is no such value: %s, %s', (code, field, asked) => {
		expect(misfit(code, field, asked)).toBeUndefined();
	});
});
