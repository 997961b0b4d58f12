import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

const MOST_LISTED = 10;

/** What is wrong reads on as a sentence about the parameter, as in "Recipients is empty". */
const VERB = /^(is|has|contains|names|needs) /;

const UNCHANGED = 'Nothing was changed at the service for this item.';

/**
 * Collects what is wrong with the parameters of one item, to be told all at once: every round trip through a form that
 * a builder is spared counts, and so does every request that would have been refused.
 */
export class Problems {
	private readonly found: Array<{ headline: string; remedy: string }> = [];

	/**
	 * @param parameter label of the parameter, for example `Recipients > 2 > Email`
	 * @param what what is wrong with it, without a full stop
	 * @param remedy what to do, as a sentence without a full stop
	 */
	add(parameter: string, what: string, remedy: string): void {
		this.found.push({ headline: `${parameter}${VERB.test(what) ? '' : ':'} ${what}`, remedy: `${remedy}.` });
	}

	get any(): boolean {
		return this.found.length > 0;
	}

	/**
	 * Throws a NodeOperationError whose headline is the first problem, with what to do below it; if there are several, all of
	 * them are listed there. Nothing has been changed at the service by then.
	 */
	throwIfAny(context: IExecuteFunctions, itemIndex: number): void {
		const [first, ...others] = this.found;
		if (!first) return;
		const listed = this.found
			.slice(0, MOST_LISTED)
			.map(({ headline, remedy }, index) => `(${index + 1}) ${headline}. ${remedy}`);
		const unlisted = this.found.length - listed.length;
		if (unlisted > 0) listed.push(`And ${unlisted} more.`);
		const more = others.length === 1 ? '1 more problem' : `${others.length} more problems`;
		const message = others.length === 0 ? first.headline : `${first.headline}, and ${more}`;
		const remedy = others.length === 0 ? first.remedy : listed.join('\n');
		throw new NodeOperationError(context.getNode(), message, { itemIndex, description: `${remedy}\n${UNCHANGED}` });
	}
}
