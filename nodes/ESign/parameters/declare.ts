import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { isNothing } from './checks/given';
import { checkObject, checkValue, type PropertyRule, type PropertyRules } from './checks/rules';
import { describe, type TextRule } from './checks/values';
import type { Item, Parameter, Shown } from './item';

/** What the editor shows of a parameter beside its name and label. */
type Look = Partial<Omit<INodeProperties, 'name' | 'displayName'>>;

/** What every kind of value may be told beside that. */
type Optional = {
	/** An empty value is refused, though the form marks none. */
	mandatory?: true;
	mayBeNothing?: true;
};

/** A single value, at the top of the form or in a collection or a row: declared with the rule that it is checked by. */
export class Value<Name extends string = string, Type = unknown> implements Parameter<Type | undefined> {
	constructor(
		readonly name: Name,
		readonly property: INodeProperties,
		readonly rule: PropertyRule,
	) {}

	get label(): string {
		return this.rule.label;
	}

	/** The same in another form, with other words or under another rule. */
	with(look: Look, rule: Partial<PropertyRule> = {}): Value<Name, Type> {
		const { required } = { ...this.rule, ...look };
		const changed = { ...this.rule, required, ...rule } as PropertyRule;
		return new Value(this.name, { ...this.property, ...look }, changed);
	}

	/** @returns undefined when it is not set or not acceptable; the problem is then added */
	read(item: Item): Type | undefined {
		return checkValue(item.given(this.name), this.ruleFor(item), this.label, item.problems) as Type | undefined;
	}

	/** A date without an offset is read in the timezone of the workflow. */
	ruleFor({ context }: Item): PropertyRule {
		return this.rule.type === 'moment' ? { ...this.rule, timezone: context.getTimezone() } : this.rule;
	}
}

type KindOfRule = PropertyRule extends infer Rule ? (Rule extends PropertyRule ? Omit<Rule, 'label'> : never) : never;

/** What is the rule's and not the editor's. */
const OF_THE_RULE = ['mandatory', 'mayBeNothing', 'min', 'max', 'whole', 'items', 'pattern', 'form', 'choices'];

/**
 * A way to declare values of one kind: `text('url', 'URL', { max: 2000, description: '...' })`.
 *
 * @param presets what the editor shows unless the declaration says otherwise
 */
function kind<Type, Limits extends object = object>(
	presets: (limits: Limits) => Look & Pick<INodeProperties, 'type'>,
	ruleOf: (limits: Limits) => KindOfRule,
) {
	return <const Name extends string>(
		name: Name,
		displayName: string,
		declared: Omit<Look, keyof Limits> & Optional & Limits,
	): Value<Name, Type> => {
		const look = Object.fromEntries(Object.entries(declared).filter(([key]) => !OF_THE_RULE.includes(key)));
		const property: INodeProperties = { displayName, name, default: '', ...presets(declared), ...look };
		// n8n wants "Name or ID" added where the editor fills a list; messages do without it.
		const label = displayName.replace(/ Name or ID$/, '');
		const { mandatory = property.required, mayBeNothing } = declared;
		const rule = { ...ruleOf(declared), label, required: mandatory, mayBeNothing };
		return new Value<Name, Type>(name, property, rule as PropertyRule);
	};
}

type Pattern = Omit<Extract<TextRule, { type: 'string' }>, 'type'>;

type Range = { min: number; max?: number; whole?: true };

type Choices = { options: readonly INodePropertyOptions[]; choices?: string[] };

const valuesOf = (options: readonly INodePropertyOptions[]) => options.map(({ value }) => String(value));

export const text = kind<string, Pattern>(
	() => ({ type: 'string' }),
	({ max, pattern, form }) => ({ type: 'string', max, pattern, form }),
);

/** An ID as the service gives it, or what takes its place. */
export const id = kind<string>(
	() => ({ type: 'string' }),
	() => ({ type: 'id' }),
);

/** Several texts, with commas between, or as a list. */
export const texts = kind<string[], { max: number; items: number }>(
	() => ({ type: 'string' }),
	({ max, items }) => ({ type: 'strings', max, items }),
);

/** A number from `min` to `max`; the editor keeps to `min`, and to whole numbers. */
export const number = kind<number, Range>(
	({ min, whole }) => ({ type: 'number', typeOptions: { minValue: min, ...(whole && { numberPrecision: 0 }) } }),
	({ min, max, whole }) => ({ type: whole ? 'integer' : 'number', min, max }),
);

/** Off, unless it is declared to be on by default. */
export const toggle = kind<boolean>(
	() => ({ type: 'boolean', default: false }),
	() => ({ type: 'boolean' }),
);

/** One of several. `choices` are the values in the order in which messages list them, if that is not the order of the dropdown. */
export const choice = kind<string, Choices>(
	() => ({ type: 'options' }),
	({ options, choices = valuesOf(options) }) => ({ type: 'choice', choices }),
);

/** Any of several; as a filter, none means all. */
export const choices = kind<string[], Choices>(
	() => ({ type: 'multiOptions' }),
	({ options }) => ({ type: 'choices', choices: valuesOf(options) }),
);

/** A date and time, as the service writes it. */
export const moment = kind<string>(
	() => ({ type: 'dateTime' }),
	() => ({ type: 'moment', timezone: '' }),
);

/** What is chosen in a list of several, at least one, each once. */
export class Selection implements Parameter<string[]> {
	readonly property: INodeProperties;

	private readonly known: string[];

	constructor(name: string, displayName: string, { options, ...look }: Omit<Look, 'options'> & Choices) {
		this.known = valuesOf(options);
		const property: INodeProperties = { displayName, name, type: 'multiOptions', required: true, default: [] };
		this.property = { ...property, options: [...options], ...look };
	}

	read(item: Item): string[] {
		const { problems } = item;
		const { name, displayName } = this.property;
		const all: unknown[] = [item.given(name).value].flat();
		const chosen = all.filter((one) => !isNothing(one)).map((one) => (typeof one === 'string' ? one : describe(one)));
		const unknown = chosen.filter((one) => !this.known.includes(one));
		const known = this.known.join(', ');
		if (chosen.length === 0) problems.add(displayName, 'nothing is chosen', `Choose at least one of ${known}`);
		if (unknown.length > 0) {
			problems.add(displayName, `"${unknown.join('", "')}" is not one of its values`, `Use ${known}`);
		}
		return [...new Set(chosen)];
	}
}

/** What the entries of a collection hold, by their names. */
export type ValuesOf<Entries extends readonly Value[]> = {
	[Entry in Entries[number] as Entry['name']]?: Entry extends Value<string, infer Type> ? Type : never;
};

/** Rarely used values that are added one by one: read together, as an object that has those that are set. */
export class Collection<const Entries extends readonly Value[]> implements Parameter<ValuesOf<Entries>> {
	readonly property: INodeProperties;

	constructor(
		name: string,
		displayName: string,
		readonly entries: Entries,
		look: Look,
	) {
		const options = entries.map(({ property }) => property).sort(byLabel);
		this.property = { displayName, name, type: 'collection', default: {}, options, ...look };
	}

	read(item: Item): ValuesOf<Entries> {
		const { name, displayName: label } = this.property;
		const rules = Object.fromEntries(this.entries.map((entry) => [entry.name, entry.ruleFor(item)]));
		return checkObject(item.given(name), rules, { label, json: false }, item.problems) as ValuesOf<Entries>;
	}
}

const byLabel = (one: INodeProperties, other: INodeProperties) => one.displayName.localeCompare(other.displayName);

export function additionalFields<const Entries extends readonly Value[]>(...entries: Entries): Collection<Entries> {
	return new Collection('additionalFields', 'Additional Fields', entries, { placeholder: 'Add Field' });
}

export function options<const Entries extends readonly Value[]>(...entries: Entries): Collection<Entries> {
	return new Collection('options', 'Options', entries, { placeholder: 'Add Option' });
}

/** The rules of several values, by name: what an entry of a list may hold. */
export function rulesOf(entries: readonly Value[]): PropertyRules {
	return Object.fromEntries(entries.map(({ name, rule }) => [name, rule]));
}

/** A sentence in the form. */
export function notice(name: string, displayName: string): Shown {
	return { property: { displayName, name, type: 'notice', default: '' } };
}
