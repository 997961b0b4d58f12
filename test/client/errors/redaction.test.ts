import { pinsIn, redacted } from '../../../nodes/ESign/client/errors/refusal';

describe('What is hidden of a message', () => {
	it('the access codes of recipients are found, as text and as numbers', () => {
		const recipients = [
			{ name: 'Ada', pin: '77' },
			{ pin: 1234 },
			{ pin: null },
			{ pin: '' },
			null,
		];
		expect(pinsIn({ recipients, send: true })).toEqual(['77', '1234']);
		expect(pinsIn({ recipients: 'none' })).toEqual([]);
		expect(pinsIn(undefined)).toEqual([]);
	});

	it.each(['sk_live_aB3-_x', 'sk_test_0', 'whsec_z-Z_9'])(
		'%s is hidden in every text',
		(secret) => {
			expect(redacted(`key ${secret}, and ${secret}.`, [])).toBe('key [hidden], and [hidden].');
			expect(redacted({ deep: [{ text: secret }], number: 1, none: null }, [])).toEqual({
				deep: [{ text: '[hidden]' }],
				number: 1,
				none: null,
			});
		},
	);

	it('what only begins like a secret stays', () => {
		expect(redacted('sk_live_ task_live_x sk_other_1 whsec_', [])).toBe(
			'sk_live_ task_live_x sk_other_1 whsec_',
		);
	});

	it('properties that hold a secret are hidden whatever they say', () => {
		expect(redacted({ signing_secret: 'anything', pin: 12, id: 'whk_1' }, [])).toEqual({
			signing_secret: '[hidden]',
			pin: '[hidden]',
			id: 'whk_1',
		});
	});

	it('a PIN is hidden as a word, and does not blot out what only contains it', () => {
		expect(redacted('PIN 1 of 404, 11 and x1: (1)', ['1'])).toBe(
			'PIN [hidden] of 404, 11 and x1: ([hidden])',
		);
	});

	it('a PIN is text, not a pattern', () => {
		expect(redacted('a.c abc (x) $1', ['a.c', '(x)'])).toBe('[hidden] abc [hidden] $1');
	});
});
