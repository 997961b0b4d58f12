/** What a request may hold in one place, at its limits: how the notes of docs/service.md's tables read as values. */
export interface Kind {
	takes: readonly unknown[];
	/** Each with the code of its refusal, if that is not validation_error, and where below the field the fault lies. */
	refuses: ReadonlyArray<{ value: unknown; code?: string; at?: string }>;
	/** With which code it is refused if it is missing; undefined where it may be. */
	required?: string;
}

const SAMPLES = ['text', 12, true, null, {}, []] as const;
const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const refused = (values: readonly unknown[]) => values.map((value) => ({ value }));
/** One value of every JSON type but this one. */
const otherTypesThan = (type: string) => refused(SAMPLES.filter((value) => typeOf(value) !== type));
const long = (length: number) => 'x'.repeat(length);

export function text(minimum: number, maximum: number): Kind {
	const shorter = minimum > 0 ? [long(minimum - 1)] : [];
	return {
		takes: [long(minimum), long(maximum)],
		refuses: [...refused([...shorter, long(maximum + 1)]), ...otherTypesThan('string')],
	};
}

/** A text without stated limits. */
export function anyText(...takes: string[]): Kind {
	return { takes, refuses: otherTypesThan('string') };
}

export function email(maximum: number): Kind {
	const host = '@example.com';
	const ofLength = (length: number) => long(length - host.length) + host;
	return {
		takes: ['first.last+tag@example.com', ofLength(maximum)],
		refuses: [...refused(['', 'nobody', '@example.com', 'a@', 'a b@example.com', ofLength(maximum + 1)]), ...notText],
	};
}
const notText = otherTypesThan('string');

export function oneOf(...values: string[]): Kind {
	const [first = ''] = values;
	const otherCase = first === first.toUpperCase() ? first.toLowerCase() : first.toUpperCase();
	return { takes: values, refuses: [...refused(['', otherCase, 'UNHEARD_OF']), ...notText] };
}

export function integer(minimum: number, maximum?: number): Kind {
	const above = maximum === undefined ? [] : [maximum + 1];
	return {
		takes: maximum === undefined ? [minimum] : [minimum, maximum],
		refuses: [...refused([minimum - 1, ...above, minimum + 0.5, String(minimum)]), ...otherTypesThan('number')],
	};
}

export function number(minimum: number, maximum: number): Kind {
	const middle = (minimum + maximum) / 2;
	return {
		takes: [minimum, middle, maximum],
		refuses: [...refused([minimum - 1e-6, maximum + 1e-6, String(middle)]), ...otherTypesThan('number')],
	};
}

export const flag: Kind = { takes: [true, false], refuses: [...refused(['true', 1]), ...otherTypesThan('boolean')] };

export function pattern(takes: readonly string[], refuses: readonly string[]): Kind {
	return { takes, refuses: [...refused(refuses), ...notText] };
}

export function httpsUri(maximum: number): Kind {
	const start = 'https://example.com/';
	const ofLength = (length: number) => start + long(length - start.length);
	const wrong = ['', 'http://example.com/', 'example.com', 'ftp://example.com/', 'https://', 'https://a b.example/'];
	return {
		takes: ['https://example.com', 'https://example.com:8443/a?b=c#d', ofLength(maximum)],
		refuses: [...refused([...wrong, ofLength(maximum + 1)]), ...notText],
	};
}

export const dateTime: Kind = {
	takes: ['2030-01-01T00:00:00Z', '2030-01-01T02:00:00.500+02:00'],
	refuses: [
		...refused(['', 'tomorrow', '2030-01-01', '2030-02-30T00:00:00Z', '2030-01-01T00:00:00']),
		// Well-formed by RFC 3339 or ISO 8601, and nothing that a Date can hold.
		...refused(['2016-12-31T23:59:60Z', '2030-01-01T00:00:00+02']),
		...notText,
	],
};

/** A list of so many items; `code` is that of one item too many. */
export function list(
	limits: { minimum: number; maximum?: number; code?: string },
	item: (index: number) => unknown,
	wrongItem: { value: unknown; at?: string },
): Kind {
	const of = (length: number) => Array.from({ length }, (_item, index) => item(index));
	const { minimum, maximum, code } = limits;
	return {
		takes: maximum === undefined ? [of(minimum)] : [of(minimum), of(maximum)],
		refuses: [
			...(minimum > 0 ? refused([of(minimum - 1)]) : []),
			...(maximum === undefined ? [] : [{ value: of(maximum + 1), ...(code && { code }) }]),
			{ value: [wrongItem.value], at: wrongItem.at ?? '0' },
			...otherTypesThan('array'),
		],
	};
}

/** A nested object: its own rows say what is in it. */
export const object: Kind = { takes: [], refuses: otherTypesThan('object') };

export function required(kind: Kind, code = 'validation_error'): Kind {
	return { ...kind, required: code };
}

export function orNull(kind: Kind): Kind {
	return { takes: [...kind.takes, null], refuses: kind.refuses.filter(({ value }) => value !== null) };
}

/** Refuses this too, by a code of its own. */
export function refusing(kind: Kind, value: unknown, code = 'validation_error'): Kind {
	return { takes: kind.takes.filter((taken) => taken !== value), refuses: [...kind.refuses, { value, code }] };
}
