import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

const MOST_LISTED = 10;

/**
 * Collects what is wrong with the parameters of one item, to be told all at once: every round trip through a form that
 * a builder is spared counts, and so does every request that would have been refused.
 */
export class Problems {
	private readonly found: string[] = [];

	/**
	 * @param parameter label of the parameter, for example `Recipients > 2 > Email`
	 * @param what what is wrong with it, without a full stop
	 * @param remedy what to do, as a sentence without a full stop
	 */
	add(parameter: string, what: string, remedy: string): void {
		this.found.push(`${parameter}: ${what}. ${remedy}.`);
	}

	get any(): boolean {
		return this.found.length > 0;
	}

	/** Throws a NodeOperationError that lists every problem; nothing has been changed at the service by then. */
	throwIfAny(context: IExecuteFunctions, itemIndex: number): void {
		if (!this.any) return;
		const listed = this.found.slice(0, MOST_LISTED).map((problem, index) => `(${index + 1}) ${problem}`);
		const more = this.found.length - listed.length;
		const message =
			this.found.length === 1
				? `${this.found[0]}`
				: `${this.found.length} parameters need correcting. ${listed.join(' ')}${more > 0 ? ` And ${more} more.` : ''}`;
		throw new NodeOperationError(context.getNode(), message, {
			itemIndex,
			description: 'Nothing was changed at the service for this item.',
		});
	}
}

/** Throws for one problem at once, where nothing else can be checked before it is solved. */
export function refuse(
	context: IExecuteFunctions,
	itemIndex: number,
	parameter: string,
	what: string,
	remedy: string,
): never {
	const problems = new Problems();
	problems.add(parameter, what, remedy);
	problems.throwIfAny(context, itemIndex);
	throw new NodeOperationError(context.getNode(), what, { itemIndex });
}
