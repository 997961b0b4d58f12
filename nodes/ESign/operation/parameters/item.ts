import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import {
	client,
	runOf,
	type ApiRequest,
	type Endpoint,
	type PagedEndpoint,
	type ResponseOf,
} from '../../client';
import { partOf, type ParameterValue } from './checks/parameterValue';
import { Problems, type Refuse } from './checks/problems';

/** What the editor shows of a parameter, or of a notice. */
export interface Shown {
	readonly property: INodeProperties;
}

/** One input item as its operation sees it. */
export class Item {
	/**
	 * Stands for the item in all its tries: sending/known/itemId.ts. Empty for an operation that only
	 * reads.
	 */
	id = '';

	readonly problems = new Problems();

	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
	) {}

	get input(): INodeExecutionData {
		return this.context.getInputData()[this.index] ?? { json: {} };
	}

	get timezone(): string {
		return this.context.getTimezone();
	}

	/** The checked value of a parameter; what is wrong with it is added to the problems. */
	read<Value>(parameter: { read(item: Item): Value }): Value {
		return parameter.read(this);
	}

	/**
	 * What a parameter holds, unchecked: of a locator the ID; the default where the form hid it, as
	 * Limit below Return All.
	 */
	given({ name, type, default: preset }: INodeProperties): ParameterValue {
		const extractValue = type === 'resourceLocator';
		const held: unknown = runOf(this.context).parameters[name];
		const inside = (value: unknown) =>
			extractValue ? (partOf({ value }, 'value').value ?? value) : value;
		if (held === undefined) return { value: inside(preset) };
		const evaluate = (part: string) => this.context.evaluateExpression(part, this.index);
		const value = this.context.getNodeParameter(name, this.index, null, { extractValue });
		return { value, raw: inside(held), evaluate };
	}

	/** @throws NodeOperationError with every problem found so far */
	check(): void {
		if (this.problems.any) throw this.error(...this.problems.told());
	}

	/** Throws for a problem at once, where nothing else can be checked before it is solved. */
	refuse(...problem: [parameter: string, ...Parameters<Refuse>]): never {
		this.problems.add(...problem);
		throw this.error(...this.problems.told());
	}

	error(message: string, description?: string): NodeOperationError {
		return new NodeOperationError(this.context.getNode(), message, {
			itemIndex: this.index,
			description,
		});
	}

	/** Checks, then calls as `client.call` does. */
	async call<E extends Endpoint>(endpoint: E, request: ApiRequest = {}): Promise<ResponseOf[E]> {
		this.check();
		return await client.call(this.context, endpoint, { ...request, itemIndex: this.index });
	}

	/** Checks, then reads what is wanted of a paged list as `client.all` does. */
	async list<E extends PagedEndpoint>(endpoint: E, request: Parameters<typeof client.all<E>>[2]) {
		this.check();
		return await client.all(this.context, endpoint, { ...request, itemIndex: this.index });
	}
}
