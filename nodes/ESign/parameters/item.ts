import {
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';
import { client, runOf, type ApiRequest } from '../client';
import { ruleOf, type Endpoint, type ItemOf, type PagedEndpoint } from '../service/endpoints';
import type { ResponseOf } from '../service/wire';
import { partOf, type Given } from './checks/given';
import { Problems, type Refuse } from './checks/problems';

/** What the editor shows, and nobody reads: a notice. */
export interface Shown {
	readonly property: INodeProperties;
}

/** A parameter of the node, declared once: what the editor shows of it, and how the value of an item is read. */
export interface Parameter<Value = unknown> extends Shown {
	/** The value, checked. What is wrong with it is added to the problems of the item. */
	read(item: Item): Value;
}

/** One input item as its operation sees it: its parameters, what is wrong with them, and the calls made for it. */
export class Item {
	/** All that is wrong with the parameters: told at once, by `check`. */
	readonly problems = new Problems();

	constructor(
		readonly context: IExecuteFunctions,
		readonly index: number,
	) {}

	/** What came in: JSON and files. */
	get input(): INodeExecutionData {
		return this.context.getInputData()[this.index] ?? { json: {} };
	}

	/** That of the workflow. */
	get timezone(): string {
		return this.context.getTimezone();
	}

	read<Value>(parameter: Pick<Parameter<Value>, 'read'>): Value {
		return parameter.read(this);
	}

	/**
	 * What a parameter holds, unchecked; of a locator the ID. The default stands for one that the workflow does not hold, as of a
	 * form that hides it.
	 */
	given({ name, type, default: preset }: INodeProperties): Given {
		const extractValue = type === 'resourceLocator';
		const held: unknown = runOf(this.context).parameters[name];
		const inside = (value: unknown) => (extractValue ? (partOf({ value }, 'value').value ?? value) : value);
		if (held === undefined) return { value: inside(preset) };
		const evaluate = (part: string) => this.context.evaluateExpression(part, this.index);
		const value = this.context.getNodeParameter(name, this.index, null, { extractValue });
		return { value, raw: inside(held), evaluate };
	}

	/** @throws NodeOperationError with every problem found so far */
	check(): void {
		if (this.problems.any) throw this.error(...this.problems.told());
	}

	/** Throws for one problem at once, where nothing else can be checked before it is solved. */
	refuse(parameter: string, ...problem: Parameters<Refuse>): never {
		const problems = new Problems();
		problems.add(parameter, ...problem);
		throw this.error(...problems.told());
	}

	/** An error of this item, to be thrown. */
	error(message: string, description?: string): NodeOperationError {
		return new NodeOperationError(this.context.getNode(), message, { itemIndex: this.index, description });
	}

	/**
	 * Calls the service for this item, as `client.call` does. An execution that was retried may have made the document or the
	 * endpoint what it is asked to become: it then comes out as it is.
	 */
	async call<E extends Endpoint>(endpoint: E, request: ApiRequest = {}): Promise<ResponseOf[E]> {
		const { retry } = ruleOf(endpoint);
		const isDoneAgain = retry === 'againUntilGone' || retry === 'againThenRead';
		const mayBeDone = isDoneAgain && this.context.getMode() === 'retry';
		return await client.call(this.context, endpoint, { mayBeDone, ...request, itemIndex: this.index });
	}

	/** All entries of a paged list that are wanted, as `client.all`. */
	async list<E extends PagedEndpoint>(
		endpoint: E,
		request: Parameters<typeof client.all<E>>[2],
	): Promise<Array<ItemOf<E>>> {
		return await client.all(this.context, endpoint, { ...request, itemIndex: this.index });
	}
}
