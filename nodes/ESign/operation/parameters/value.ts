import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	isLeftOut,
	refusedForMistake,
	refusedForNothing,
	type ParameterValue,
} from './checks/parameterValue';
import type { Refuse } from './checks/problems';
import type { Item, Shown } from './item';

/** What the editor shows of a parameter beside its name and label. */
export type Look = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'options'>>;

/** What may be chosen: each value with its name in the dropdown, and what that means. */
export type Options = Readonly<Record<string, readonly [name: string, description?: string]>>;

/** What the editor shows of a value, and what is allowed for it (docs/service.md). */
export interface Declared extends Look {
	options?: Options;
	/** The least number; the editor keeps to it. */
	min?: number;
	/** The largest number, or the most characters of a text. */
	max?: number;
	/** The most entries of a list. */
	items?: number;
	pattern?: RegExp;
	/** What fits the pattern, as messages name it. */
	form?: string;
	/** An empty value is refused, though the form marks none. */
	mandatory?: boolean;
	/**
	 * An expression may find nothing, such as a telephone. Elsewhere empty stands for a default, for
	 * all or for no limit.
	 */
	mayBeNothing?: boolean;
}

/** Takes a value to the type that the service wants, or refuses it. */
export type Check<Type> = (
	value: unknown,
	rule: Declared,
	refuse: Refuse,
	timezone: string,
) => Type | undefined;

/** As n8n has them. */
export function optionsOf(options: Options): INodePropertyOptions[] {
	return Object.entries(options).map(([value, [name, description]]) => ({
		name,
		value,
		description,
	}));
}

/** Values by the names that the service has for them: `redirectUrl` becomes `redirect_url`. */
export function asBody(values: IDataObject): IDataObject {
	const spelt = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [spelt(name), value]));
}

/** A single value, at the top of the form or in a collection or a row. */
export class Value<Name extends string = string, Type = unknown> implements Shown {
	readonly property: INodeProperties;
	/** As messages name it. */
	readonly label: string;
	readonly required: boolean;
	readonly rule: Declared;

	constructor(
		private readonly checkType: Check<Type>,
		readonly name: Name,
		displayName: string,
		private readonly declared: Declared,
	) {
		const { mandatory, mayBeNothing, min, max, items, pattern, form, ...look } = declared;
		const typeOptions =
			min === undefined ? look.typeOptions : { minValue: min, ...look.typeOptions };
		const options = look.options && optionsOf(look.options);
		this.rule = { options: look.options, min, max, items, pattern, form, mayBeNothing };
		this.property = {
			displayName,
			name,
			type: 'string',
			default: '',
			...look,
			typeOptions,
			options,
		};
		// n8n wants "Name or ID" added where the editor fills a list; messages do without it.
		this.label = displayName.replace(/ Name or ID$/, '');
		this.required = mandatory ?? look.required ?? false;
	}

	with(changed: Declared): this {
		const Kind = this.constructor as new (
			...parts: ConstructorParameters<typeof Value<Name, Type>>
		) => this;
		return new Kind(this.checkType, this.name, this.property.displayName, {
			...this.declared,
			...changed,
		});
	}

	read(item: Item): Type | undefined {
		return this.check(item.given(this.property), item.problems.at(this.label), item.timezone);
	}

	/** Undefined when it is not set or not acceptable, which is then told. */
	check(given: ParameterValue, refuse: Refuse, timezone: string): Type | undefined {
		const { required, rule } = this;
		if (!isLeftOut(given)) {
			return refusedForMistake(given, refuse)
				? undefined
				: this.checkType(given.value, rule, refuse, timezone);
		}
		if (!rule.mayBeNothing && refusedForNothing(given, refuse, required)) return undefined;
		if (!required) return undefined;
		if (this.property.modes) return refuse('is empty', 'Choose one from the list, or enter its ID');
		return refuse('is missing', 'Fill it in');
	}
}
