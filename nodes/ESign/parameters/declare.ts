import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { checkObject, checkValue, type PropertyRule, type PropertyRules } from './checks/rules';
import type { NumberRule, TextRule, TextsRule } from './checks/values';
import type { Item, Parameter, Shown } from './item';

/** What the editor shows of a parameter beside its name and label. */
type Look = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'options'>>;

/** What every kind of value may be told. */
type Declared = Look & {
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

	/**
	 * The default counts where the form hides the value, as it hides Limit while Return All is an expression.
	 *
	 * @returns undefined when it is not set or not acceptable; the problem is then added
	 */
	read(item: Item): Type | undefined {
		const given = item.given(this.name, { fallback: this.property.default });
		return checkValue(given, this.ruleFor(item), this.label, item.problems) as Type | undefined;
	}

	/** A date without an offset is read in the timezone of the workflow. */
	ruleFor({ context }: Item): PropertyRule {
		return this.rule.type === 'moment' ? { ...this.rule, timezone: context.getTimezone() } : this.rule;
	}
}

type KindOfRule = PropertyRule extends infer Rule ? (Rule extends PropertyRule ? Omit<Rule, 'label'> : never) : never;

function valueOf<Name extends string, Type>(
	name: Name,
	displayName: string,
	{ mandatory, mayBeNothing, ...look }: Declared & Pick<INodeProperties, 'type' | 'options'>,
	kind: KindOfRule,
): Value<Name, Type> {
	// n8n wants "Name or ID" added where the editor fills a list; messages do without it.
	const label = displayName.replace(/ Name or ID$/, '');
	const rule = { ...kind, label, required: mandatory ?? look.required, mayBeNothing };
	return new Value<Name, Type>(name, { displayName, name, default: '', ...look }, rule as PropertyRule);
}

/** A way to declare values of one kind: `text('url', 'URL', { max: 2000, description: '...' })`. */
type Kind<Type, Limits = object> = <const Name extends string>(
	name: Name,
	displayName: string,
	declared: Declared & Limits,
) => Value<Name, Type>;

type Choices = { options: readonly INodePropertyOptions[]; choices?: string[] };

const valuesOf = (options: readonly INodePropertyOptions[]) => options.map(({ value }) => String(value));

export const text: Kind<string, Omit<TextRule, 'type'>> = (name, label, { max, pattern, form, ...look }) =>
	valueOf(name, label, { type: 'string', ...look }, { type: 'string', max, pattern, form });

/** An ID as the service gives it, or what takes its place. */
export const id: Kind<string> = (name, label, look) =>
	valueOf(name, label, { type: 'string', ...look }, { type: 'id' });

/** Several texts, with commas between, or as a list. */
export const texts: Kind<string[], Omit<TextsRule, 'type'>> = (name, label, { max, items, ...look }) =>
	valueOf(name, label, { type: 'string', ...look }, { type: 'strings', max, items });

/** A number from `min` to `max`; the editor keeps to `min`, and to whole numbers. */
export const number: Kind<number, Omit<NumberRule, 'type'> & { whole?: true }> = (
	name,
	label,
	{ min, max, whole, ...look },
) => {
	const typeOptions = { minValue: min, ...(whole && { numberPrecision: 0 }) };
	return valueOf(
		name,
		label,
		{ type: 'number', typeOptions, ...look },
		{ type: whole ? 'integer' : 'number', min, max },
	);
};

/** Off, unless it is declared to be on by default. */
export const toggle: Kind<boolean> = (name, label, look) =>
	valueOf(name, label, { type: 'boolean', default: false, ...look }, { type: 'boolean' });

/** One of several. `choices` are the values in the order in which messages list them, if that is not the order of the dropdown. */
export const choice: Kind<string, Choices> = (name, label, { options, choices = valuesOf(options), ...look }) =>
	valueOf(name, label, { type: 'options', options: [...options], ...look }, { type: 'choice', choices });

/** Any of several, each once. */
export const choices: Kind<string[], Choices> = (
	name,
	label,
	{ options, choices: known = valuesOf(options), ...look },
) =>
	valueOf(name, label, { type: 'multiOptions', options: [...options], ...look }, { type: 'choices', choices: known });

/** A date and time, as the service writes it. */
export const moment: Kind<string> = (name, label, look) =>
	valueOf(name, label, { type: 'dateTime', ...look }, { type: 'moment', timezone: '' });

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
