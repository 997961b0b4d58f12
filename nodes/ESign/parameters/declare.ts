import type { INodeProperties, INodePropertyOptions, NodePropertyTypes } from 'n8n-workflow';
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

function value<const Name extends string, Type>(
	[name, displayName, type]: readonly [Name, string, NodePropertyTypes],
	{ mandatory, mayBeNothing, ...look }: Look & Optional,
	rule: KindOfRule,
): Value<Name, Type> {
	// n8n wants "Name or ID" added where the editor fills a list; messages do without it.
	const label = displayName.replace(/ Name or ID$/, '');
	const required = mandatory ?? look.required;
	const property: INodeProperties = { displayName, name, type, default: '', ...look };
	return new Value(name, property, { ...rule, label, required, mayBeNothing } as PropertyRule);
}

type TextLook = Omit<Extract<TextRule, { type: 'string' }>, 'type'>;

export function text<const Name extends string>(
	name: Name,
	displayName: string,
	{ max, pattern, form, ...look }: Look & Optional & TextLook,
): Value<Name, string> {
	return value([name, displayName, 'string'], look, { type: 'string', max, pattern, form });
}

/** An ID as the service gives it, or what takes its place. */
export function id<const Name extends string>(
	name: Name,
	displayName: string,
	look: Look & Optional,
): Value<Name, string> {
	return value([name, displayName, 'string'], look, { type: 'id' });
}

/** Several texts, with commas between, or as a list. */
export function texts<const Name extends string>(
	name: Name,
	displayName: string,
	{ max, items, ...look }: Look & Optional & { max: number; items: number },
): Value<Name, string[]> {
	return value([name, displayName, 'string'], look, { type: 'strings', max, items });
}

/** A number from `min` to `max`; the editor keeps to `min`, and to whole numbers. */
export function number<const Name extends string>(
	name: Name,
	displayName: string,
	{ min, max, whole, ...look }: Look & Optional & { min: number; max?: number; whole?: true },
): Value<Name, number> {
	const typeOptions = { minValue: min, ...(whole && { numberPrecision: 0 }) };
	return value(
		[name, displayName, 'number'],
		{ typeOptions, ...look },
		{ type: whole ? 'integer' : 'number', min, max },
	);
}

/** Off, unless `look` says that it is on by default. */
export function toggle<const Name extends string>(
	name: Name,
	displayName: string,
	look: Look & Optional,
): Value<Name, boolean> {
	return value([name, displayName, 'boolean'], { default: false, ...look }, { type: 'boolean' });
}

type ChoiceLook = Omit<Look, 'options'> & Optional & { options: readonly INodePropertyOptions[] };

const valuesOf = (options: readonly INodePropertyOptions[]) => options.map((option) => String(option.value));

/** @param choices the values in the order in which messages list them, if that is not the order of the dropdown */
export function choice<const Name extends string>(
	name: Name,
	displayName: string,
	{ options, choices = valuesOf(options), ...look }: ChoiceLook & { choices?: string[] },
): Value<Name, string> {
	return value([name, displayName, 'options'], { options: [...options], ...look }, { type: 'choice', choices });
}

/** Any of several; as a filter, none means all. */
export function choices<const Name extends string>(
	name: Name,
	displayName: string,
	{ options, ...look }: ChoiceLook,
): Value<Name, string[]> {
	const rule = { type: 'choices' as const, choices: valuesOf(options) };
	return value([name, displayName, 'multiOptions'], { options: [...options], ...look }, rule);
}

/** A date and time, as the service writes it. */
export function moment<const Name extends string>(name: Name, displayName: string, look: Look): Value<Name, string> {
	return value([name, displayName, 'dateTime'], look, { type: 'moment', timezone: '' });
}

/** What is chosen in a list of several, at least one, each once. */
export class Selection implements Parameter<string[]> {
	readonly property: INodeProperties;

	private readonly known: string[];

	constructor(name: string, displayName: string, { options, ...look }: ChoiceLook) {
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
