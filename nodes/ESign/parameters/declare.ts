import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { checkObject, checkValue, type Rule } from './checks/rules';
import type { Item, Parameter, Shown } from './item';

/** What the editor shows of a parameter beside its name and label. */
type Look = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'options'>>;

/** All that a value is declared by: what the editor shows of it, and what the service allows. */
interface Declared extends Look, Partial<Omit<Rule, 'type' | 'label' | 'required'>> {
	options?: readonly INodePropertyOptions[];
	/** An empty value is refused, though the form marks none. */
	mandatory?: boolean;
}

/** A single value, at the top of the form or in a collection or a row: declared with the rule that it is checked by. */
export class Value<Name extends string = string, Type = unknown> implements Parameter<Type | undefined> {
	readonly property: INodeProperties;

	readonly rule: Rule;

	constructor(
		private readonly type: Rule['type'],
		readonly name: Name,
		displayName: string,
		private readonly declared: Declared,
	) {
		const { mandatory, mayBeNothing, min, max, items, pattern, form, choices, ...look } = declared;
		const options = look.options && [...look.options];
		const ofNumber = min !== undefined && {
			typeOptions: { minValue: min, ...(type === 'integer' && { numberPrecision: 0 }) },
		};
		this.property = { displayName, name, type: 'string', default: '', ...ofNumber, ...look, options };
		// n8n wants "Name or ID" added where the editor fills a list; messages do without it.
		const label = displayName.replace(/ Name or ID$/, '');
		const limits = { min, max, items, pattern, form, choices: choices ?? options?.map(({ value }) => String(value)) };
		this.rule = { type, label, required: mandatory ?? look.required, mayBeNothing, ...limits };
	}

	get label(): string {
		return this.rule.label;
	}

	/** The same in another form, with other words or under another rule. */
	with(changed: Declared): Value<Name, Type> {
		return new Value<Name, Type>(this.type, this.name, this.property.displayName, { ...this.declared, ...changed });
	}

	/**
	 * The default counts where the form hides the value, as it hides Limit while Return All is an expression.
	 *
	 * @returns undefined when it is not set or not acceptable; the problem is then added
	 */
	read(item: Item): Type | undefined {
		const refuse = item.problems.at(this.label);
		return checkValue(item.given(this.property), this.rule, refuse, item.timezone) as Type | undefined;
	}
}

/** A way to declare values of one kind: `text('url', 'URL', { max: 2000, description: '...' })`. */
function kind<Type, Needed extends keyof Declared = never>(type: Rule['type'], look: Look) {
	return <const Name extends string>(
		name: Name,
		displayName: string,
		declared: Declared & Required<Pick<Declared, Needed>>,
	) => new Value<Name, Type>(type, name, displayName, { ...look, ...declared });
}

export const text = kind<string>('string', { type: 'string' });

/** An ID as the service gives it, or what takes its place. */
export const id = kind<string>('id', { type: 'string' });

/** Several texts, with commas between, or as a list. */
export const texts = kind<string[], 'max' | 'items'>('strings', { type: 'string' });

/** A number from `min` to `max`; the editor keeps to `min`. */
export const number = kind<number, 'min'>('number', { type: 'number' });

/** The same of whole numbers, to which the editor keeps too. */
export const integer = kind<number, 'min'>('integer', { type: 'number' });

/** Off, unless it is declared to be on by default. */
export const toggle = kind<boolean>('boolean', { type: 'boolean', default: false });

/** One of several. `choices` are the values in the order in which messages list them, if that is not the order of the dropdown. */
export const choice = kind<string, 'options'>('choice', { type: 'options' });

/** Any of several, each once. */
export const choices = kind<string[], 'options'>('choices', { type: 'multiOptions' });

/** A date and time, as the service writes it; without an offset it is read in the timezone of the workflow. */
export const moment = kind<string>('moment', { type: 'dateTime' });

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
		const options = entries
			.map(({ property }) => property)
			.sort((one, other) => one.displayName.localeCompare(other.displayName));
		this.property = { displayName, name, type: 'collection', default: {}, options, ...look };
	}

	read(item: Item): ValuesOf<Entries> {
		const place = { label: this.property.displayName, json: false };
		return checkObject(item.given(this.property), this.entries, place, item) as ValuesOf<Entries>;
	}
}

export function additionalFields<const Entries extends readonly Value[]>(...entries: Entries): Collection<Entries> {
	return new Collection('additionalFields', 'Additional Fields', entries, { placeholder: 'Add Field' });
}

export function options<const Entries extends readonly Value[]>(...entries: Entries): Collection<Entries> {
	return new Collection('options', 'Options', entries, { placeholder: 'Add Option' });
}

/** A sentence in the form. */
export function notice(name: string, displayName: string): Shown {
	return { property: { displayName, name, type: 'notice', default: '' } };
}
