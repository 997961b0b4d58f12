import type { IDataObject, INodeProperties } from 'n8n-workflow';
import {
	describe,
	isNothing,
	partOf,
	unwrap,
	refusedForNothing,
	type ParameterValue,
} from './checks/parameterValue';
import { momentOf } from './checks/dates';
import { hasInvisible, isFit, withoutInvisibleEnds } from './checks/text';
import type { Item, Shown } from './item';
import { Value, type Check, type Look, type Declared } from './value';

/**
 * A way to declare values of one kind: `text('url', 'URL', { max: 2000, description: '...' })`.
 * Numbers and booleans that expressions deliver as text are accepted as such, and so are texts that
 * a spreadsheet delivers as numbers.
 */
export function kind<Type>(check: Check<Type>, look: Look = {}) {
	return <const Name extends string>(name: Name, displayName: string, declared: Declared) =>
		new Value(check, name, displayName, { ...look, ...declared });
}

/** @param isId nothing that cannot be seen belongs to it, as to whatever has a pattern */
export const checkText = (isId: boolean): Check<string> =>
	function (given, { max = Infinity, pattern, form }, refuse) {
		const value = unwrap(given);
		if (typeof value !== 'string' && typeof value !== 'bigint' && !Number.isFinite(value)) {
			return refuse(`is ${describe(value)}, not text`, 'Enter text');
		}
		const isExact = isId || pattern !== undefined;
		const found = isExact ? withoutInvisibleEnds(String(value)) : String(value);
		if (!isFit(found, max, refuse)) return undefined;
		if (pattern && !pattern.test(found))
			return refuse(`"${found}" is not ${form}`, `Enter ${form}`);
		if (isExact && hasInvisible(found))
			return refuse(`"${found}" contains an invisible character`, 'Type it again');
		return found;
	};

export const text = kind(checkText(false));

export const id = kind(checkText(true));

const LEFT_OUT = 'Correct the expression, or leave the entry out with .filter(Boolean)';

/**
 * The entries of a list, or of a text with commas between:
 *
 * | given                    | found                       |
 * | `data, annex`            | data, annex                 |
 * | `data,,`                 | data                        |
 * | `['data', file]`         | data, the file              |
 * | `[[file, file], 'data']` | both files, data            |
 * | `[file, undefined]`      | refused: a file is missing  |
 */
export function listOf<Entry>(check: Check<Entry>): Check<Entry[]> {
	return (given, rule, refuse, timezone) => {
		const { items = Infinity } = rule;
		const entries = entriesOf(given);
		if (entries.length === 0) return refuse('is empty', 'Name at least one');
		if (entries.length > items)
			return refuse(`has ${entries.length} entries`, `Use ${items} at most`);

		const found: Entry[] = [];
		for (const [index, entry] of entries.entries()) {
			const checked = isNothing(entry)
				? refuse(`has nothing as entry ${index + 1} of its list`, LEFT_OUT)
				: check(entry, rule, refuse, timezone);
			if (checked === undefined) return undefined;
			found.push(checked);
		}
		return found;
	};
}

function entriesOf(given: unknown): unknown[] {
	if (typeof given !== 'string') return [given].flat(2);
	return given.split(',').filter((part) => !isNothing(part));
}

/** As a list, or with commas between. */
export const texts = kind(listOf(checkText(false)));

export const ids = kind(listOf(checkText(true)));

const checkNumber = (called: string, isOne: (value: unknown) => boolean): Check<number> =>
	function (given, { min = 0, max = Infinity }, refuse) {
		const value = unwrap(given);
		const found = typeof value === 'string' ? Number(value) : value;
		if (typeof found === 'number' && isOne(found) && found >= min && found <= max) return found;
		const wanted = `${called} ${max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`}`;
		return refuse(`${describe(value)} is not ${wanted}`, `Use ${wanted}`);
	};

export const number = kind(checkNumber('a number', Number.isFinite), { type: 'number' });

export const integer = kind(checkNumber('a whole number', Number.isInteger), {
	type: 'number',
	typeOptions: { numberPrecision: 0 },
});

const checkToggle: Check<boolean> = (given, _, refuse) => {
	const value = unwrap(given);
	if (typeof value === 'boolean') return value;
	if (value === 'true' || value === 'false') return value === 'true';
	return refuse(`is ${describe(value)}, not true or false`, 'Use true or false');
};

export const toggle = kind(checkToggle, { type: 'boolean', default: false });

const checkChoice: Check<string> = (given, { options = {} }, refuse) => {
	const value = unwrap(given);
	const all = Object.keys(options);
	const found = all.find(
		(one) => typeof value === 'string' && one.toLowerCase() === value.toLowerCase(),
	);
	return found ?? refuse(`${describe(value)} is not one of its values`, `Use ${all.join(', ')}`);
};

export const choice = kind(checkChoice, { type: 'options' });

const checkChoices: Check<string[]> = (...asked) => {
	const found = listOf(checkChoice)(...asked);
	return found && [...new Set(found)];
};

export const choices = kind(checkChoices, { type: 'multiOptions' });

const checkMoment: Check<string> = (given, _, refuse, timezone) => {
	const value = unwrap(given);
	return (
		momentOf(value, timezone) ??
		refuse(
			`${describe(value)} is not a valid ISO 8601 date and time in ${timezone}`,
			'Use one such as 2026-12-31T18:00:00, or with an offset 2026-12-31T18:00:00+01:00',
		)
	);
};

/**
 * A date and time, as the service writes it; without an offset it is read in the timezone of the
 * workflow.
 */
export const moment = kind(checkMoment, { type: 'dateTime' });

export type ValuesOf<Entries extends readonly Value[]> = {
	[Entry in Entries[number] as Entry['name']]?: Entry extends Value<string, infer Type>
		? Type
		: never;
};

/**
 * The values of one input object that are set. Problems of JSON name its properties, the form
 * by its labels.
 */
export function checkObject(
	given: ParameterValue,
	values: readonly Value[],
	label: string,
	{ problems, timezone }: Pick<Item, 'problems' | 'timezone'>,
	isJson = false,
): IDataObject {
	const refuse = problems.at(label);
	const found: IDataObject = {};
	if (refusedForNothing(given, refuse)) return found;
	const { value: input = {} } = given;
	const names = values.map(({ name }) => name);
	const allowed = names.join(', ');
	if (typeof input !== 'object' || input === null || Array.isArray(input)) {
		refuse(`is ${describe(input)}, not an object`, `Enter an object with ${allowed}`);
		return found;
	}
	for (const name of Object.keys(input).filter((one) => !names.includes(one))) {
		refuse(`has an unknown property "${name}"`, `Remove it; allowed are ${allowed}`);
	}
	for (const value of values) {
		const of = problems.at(`${label} > ${isJson ? value.name : value.label}`);
		const checked = value.check(partOf(given, value.name), of, timezone);
		if (checked !== undefined) found[value.name] = checked as IDataObject[string];
	}
	return found;
}

/** Rarely used values that are added one by one; what is read has those that are set. */
export function collection<const Entries extends readonly Value[]>(
	name: string,
	displayName: string,
	entries: Entries,
	look: Look,
) {
	const options = entries
		.map(({ property }) => property)
		.sort((one, other) => one.displayName.localeCompare(other.displayName));
	const property: INodeProperties = {
		displayName,
		name,
		type: 'collection',
		default: {},
		options,
		...look,
	};
	const read = (item: Item) =>
		checkObject(item.given(property), entries, displayName, item) as ValuesOf<Entries>;
	return { property, read };
}

export function additionalFields<const Entries extends readonly Value[]>(...entries: Entries) {
	return collection('additionalFields', 'Additional Fields', entries, {
		placeholder: 'Add Additional Field',
	});
}

export function options<const Entries extends readonly Value[]>(...entries: Entries) {
	return collection('options', 'Options', entries, { placeholder: 'Add Option' });
}

/** A sentence in the form. */
export function notice(name: string, displayName: string): Shown {
	return { property: { displayName, name, type: 'notice', default: '' } };
}
