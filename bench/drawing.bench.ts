import { withSandbox } from '../test/support/sandboxProcess';
import { seededRandom } from '../test/support/seededRandom';
import type { ServiceClient } from '../test/support/serviceClient';
import type { Bench } from './report/figure';

const SANDBOX = 'Sandbox';

const FIELDS = 499;
const CHARACTERS = 2_000;

/**
 * A value for field `index`: no two are the same, and most are longer than their box has room for.
 */
const SCRIPTS: Record<string, (index: number) => string> = {
	'words in Latin letters': (index) => `number ${index} of many words `.repeat(100),
	'Latin letters without blanks': (index) => `${index}${'W'.repeat(CHARACTERS)}`,
	Arabic: (index) => `محمد علي السعر (${index}) دولار `.repeat(80),
	Hindi: (index) => `राजेश कुमार हिन्दी क्षत्रिय ${index} `.repeat(80),
	Thai: (index) => `สมชายใจดีน้ำใจที่นี่${index}`.repeat(100),
	Chinese: (index) => someChinese(index),
	'Chinese characters, common and not': (index) => someOf(0x4e00, 3_500, index),
	Korean: (index) => someOf(0xac00, 3_500, index),
	emoji: (index) => `👩‍👩‍👧🇩🇪👍🏽${index}`.repeat(120),
	'any characters of the first plane': (index) => anyOf(0x10000, index),
	'any characters': (index) => anyOf(0x110000, index),
	'Arabic words drawn by lot': (index) => words(index, [[0x627, 0x64a]], 4),
	'Devanagari words drawn by lot': (index) =>
		words(
			index,
			[
				[0x905, 0x939],
				[0x93e, 0x94d],
			],
			5,
		),
	'Thai words drawn by lot': (index) =>
		words(
			index,
			[
				[0xe01, 0xe3a],
				[0xe40, 0xe4e],
			],
			6,
		),
	'Hebrew words with points drawn by lot': (index) =>
		words(
			index,
			[
				[0x5b0, 0x5bc],
				[0x5d0, 0x5ea],
			],
			8,
		),
	'words of six scripts drawn by lot': (index) => words(index, SIX, 5),
	'Latin, Greek and Cyrillic letters drawn by lot': (index) => words(index, WESTERN, 9),
	'letters of fourteen scripts': (index) => words(index, [...WESTERN, ...OTHERS], CHARACTERS),
	'a line end after each of many signs': (index) =>
		someOf(0x4e00, 20_000, index).slice(0, 1_000).replace(/./gu, '$&\n'),
	'any Arabic letters and marks': (index) => anyOf(0x100, index, 0x600),
	'Latin letters under any marks': (index) =>
		anyOf(0x70, index, 0x300).replace(/./gu, 'a$&').slice(0, CHARACTERS),
};

type Range = readonly [first: number, last: number];

const WESTERN: readonly Range[] = [
	[0x41, 0x5a],
	[0x61, 0x7a],
	[0xc0, 0x24f],
	[0x370, 0x3ff],
	[0x400, 0x52f],
	[0x1e00, 0x1fff],
];

const SIX: readonly Range[] = [
	[0x41, 0x5a],
	[0x400, 0x52f],
	[0x5d0, 0x5ea],
	[0x627, 0x64a],
	[0x905, 0x939],
	[0xe01, 0xe3a],
];

const OTHERS: readonly Range[] = [
	[0x5d0, 0x5ea],
	[0x620, 0x64a],
	[0x905, 0x939],
	[0xe01, 0xe3a],
	[0x3041, 0x3096],
	[0x4e00, 0x9fff],
	[0xac00, 0xd7a3],
	[0x1f300, 0x1f5ff],
];

/** Words of `length` letters, all drawn by lot. */
function words(seed: number, ranges: readonly Range[], length: number): string {
	const random = seededRandom(seed);
	const letters = Array.from({ length: CHARACTERS }, (_, index) => {
		const [first, last] = ranges[Math.floor(random() * ranges.length)] ?? [0x41, 0x5a];
		const letter = String.fromCodePoint(first + Math.floor(random() * (last - first + 1)));
		return index % (length + 1) === length ? ' ' : letter;
	});
	return letters.join('');
}

/** Characters drawn by lot out of `count`; halves of pairs are none. */
function anyOf(count: number, seed: number, first = 0): string {
	const random = seededRandom(seed);
	const code = () => first + Math.floor(random() * count);
	return Array.from({ length: CHARACTERS }, () =>
		String.fromCodePoint(code()).replace(/\p{Surrogate}/u, 'x'),
	).join('');
}

const gbk = new TextDecoder('gbk');

/**
 * Characters drawn by lot out of the 3,755 that are used most, which lie in one block of the
 * Chinese standard.
 */
function someChinese(seed: number): string {
	const random = seededRandom(seed);
	const code = () => [0xb0 + Math.floor(random() * 40), 0xa1 + Math.floor(random() * 94)];
	return gbk.decode(Uint8Array.from(Array.from({ length: CHARACTERS }, code).flat()));
}

/** Characters out of as many as people use in a language. */
function someOf(first: number, count: number, seed: number): string {
	const codes = Array.from(
		{ length: CHARACTERS },
		(_, index) => first + ((seed * 7919 + index * 31) % count),
	);
	return String.fromCharCode(...codes);
}

/**
 * How long signing the largest document takes, and the longest that anybody else waits for an
 * answer meanwhile.
 */
export const run: Bench = async ({ quick }) =>
	await withSandbox({ rateLimit: 0 }, async (service) => {
		// The first document loads the libraries.
		await service.complete('Warm-up', ['ann@example.com']);
		const scripts = Object.entries(SCRIPTS).slice(0, quick ? 3 : undefined);
		const figures = [];
		for (const [script, valueOf] of scripts) {
			const { signing, longestWait } = await signed(service, valueOf);
			figures.push(
				{
					name: `Signing, ${script}`,
					unit: 'ms',
					values: { [SANDBOX]: signing },
					target: { atMost: 5_000 },
					meaning: `from the last signature to the sealed file, ${FIELDS} fields of ${CHARACTERS} characters.`,
				},
				{
					name: `Longest wait of others, ${script}`,
					unit: 'ms',
					values: { [SANDBOX]: longestWait },
					target: { atMost: 100 },
					meaning: 'the slowest GET /account while that document was being sealed.',
				},
			);
		}
		return { title: 'Sealing the largest documents', sides: [SANDBOX], figures };
	});

async function signed(service: ServiceClient, valueOf: (index: number) => string) {
	const { id, recipients } = await service.draft('Largest', ['ann@example.com']);
	const recipientId = recipients[0]?.id ?? '';
	const place = {
		recipientId,
		pageNumber: 1,
		xNorm: 0.1,
		yNorm: 0.1,
		widthNorm: 0.3,
		heightNorm: 0.05,
	};
	const fields = Array.from({ length: FIELDS }, (_, index) => ({
		...place,
		type: 'TEXT',
		value: [...valueOf(index)].slice(0, CHARACTERS).join(''),
	}));
	await service.api('PUT', `/documents/${id}/fields`, {
		fields: [{ ...place, type: 'SIGNATURE' }, ...fields],
	});
	await service.api('POST', `/documents/${id}/send`);

	const started = performance.now();
	let ended: number | undefined;
	const signing = service.control.sign(recipientId).finally(() => (ended = performance.now()));
	let longestWait = 0;
	while (ended === undefined) {
		const asked = performance.now();
		await service.api('GET', '/account');
		longestWait = Math.max(longestWait, performance.now() - asked);
	}
	await signing;
	return { signing: ended - started, longestWait };
}
