import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { isNothing, refusedForNothing, type Given } from './checks/given';
import { refusedForGlue } from './checks/glued';
import type { Refuse } from './checks/problems';
import type { Item, Parameter } from './item';

/** What the editor shows of a parameter beside its name and label. */
export type Look = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'options'>>;

/** What is allowed for one value (docs/service.md). */
export interface Rule {
	choices?: readonly string[];
	/** The least number; the editor keeps to it. */
	min?: number;
	/** The largest number, or the most characters of a text. */
	max?: number;
	/** The most entries of a list. */
	items?: number;
	pattern?: RegExp;
	/** What fits the pattern, as messages name it. */
	form?: string;
	/**
	 * An empty value is allowed here, such as for a person without a telephone. Everywhere else empty stands for a
	 * default, for everything or for no limit, and an expression that finds nothing is refused.
	 */
	mayBeNothing?: boolean;
}

/** All that a value is declared by. */
export interface Declared extends Look, Omit<Rule, 'choices'> {
	options?: readonly INodePropertyOptions[];
	/** An empty value is refused, though the form marks none. */
	mandatory?: boolean;
}

/** Takes a value to the type that the service wants; undefined when it is not acceptable, which is then told. */
export type Check<Type> = (value: unknown, rule: Rule, refuse: Refuse, timezone: string) => Type | undefined;

/** A single value, at the top of the form or in a collection or a row: declared with the rule that it is checked by. */
export class Value<Name extends string = string, Type = unknown> implements Parameter<Type | undefined> {
	readonly property: INodeProperties;

	/** As messages name it. */
	readonly label: string;

	readonly required: boolean;

	readonly rule: Rule;

	constructor(
		private readonly checkType: Check<Type>,
		readonly name: Name,
		displayName: string,
		private readonly declared: Declared,
	) {
		const { mandatory, mayBeNothing, min, max, items, pattern, form, ...look } = declared;
		const typeOptions = min === undefined ? look.typeOptions : { minValue: min, ...look.typeOptions };
		const options = look.options && [...look.options];
		const choices = options?.map(({ value }) => String(value));
		this.rule = { choices, min, max, items, pattern, form, mayBeNothing };
		this.property = { displayName, name, type: 'string', default: '', ...look, typeOptions, options };
		// n8n wants "Name or ID" added where the editor fills a list; messages do without it.
		this.label = displayName.replace(/ Name or ID$/, '');
		this.required = mandatory ?? look.required ?? false;
	}

	/** The same in another form, with other words or under another rule. */
	with(changed: Declared): Value<Name, Type> {
		return new Value(this.checkType, this.name, this.property.displayName, { ...this.declared, ...changed });
	}

	/** The default counts where the form hides the value, as it hides Limit while Return All is an expression. */
	read(item: Item): Type | undefined {
		return this.check(item.given(this.property), item.problems.at(this.label), item.timezone);
	}

	/** The value, wherever it was given; undefined when it is not set or not acceptable, which is then told. */
	check(given: Given, refuse: Refuse, timezone: string): Type | undefined {
		const { required, rule } = this;
		if (isNothing(given.value)) {
			if (!rule.mayBeNothing && refusedForNothing(given, refuse, required)) return undefined;
			return required ? refuse('is missing', 'Fill it in') : undefined;
		}
		if (refusedForGlue(given, refuse)) return undefined;
		return this.checkType(given.value, rule, refuse, timezone);
	}
}
