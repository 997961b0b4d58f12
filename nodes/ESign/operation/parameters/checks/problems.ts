const MAX_LISTED = 10;

/** Of what was entered, so many characters are repeated at most: it may be a file as text. */
const LONGEST_TOLD = 1_000;

/** What is wrong reads on as a sentence about the parameter, as in "Recipients is empty". */
const VERB = /^(is|has|contains|describes|names|needs) /;

const UNCHANGED = 'Nothing was changed at the service for this item.';

/**
 * Tells what is wrong with a parameter and what to do, each without a full stop, and stands for no
 * value.
 */
export type Refuse = (what: string, remedy: string) => undefined;

/**
 * What is wrong with the parameters of one item, told all at once: that spares round trips through
 * the form.
 */
export class Problems {
	private readonly found: Array<{ headline: string; remedy: string }> = [];

	/** @param parameter label of the parameter, for example `Recipients > 2 > Email` */
	add(parameter: string, what: string, remedy: string): void {
		const told = what.length > LONGEST_TOLD ? `${what.slice(0, LONGEST_TOLD)}…` : what;
		this.found.push({
			headline: `${parameter}${VERB.test(what) ? '' : ':'} ${told}`,
			remedy: `${remedy}.`,
		});
	}

	at(parameter: string): Refuse {
		return (what, remedy) => void this.add(parameter, what, remedy);
	}

	get any(): boolean {
		return this.found.length > 0;
	}

	/**
	 * The first problem, and below it what to do, or a list of all.
	 *
	 * @param end what is said below, if anything
	 */
	told(end = UNCHANGED): [message: string, description: string] {
		const [first, ...others] = this.found;
		const below = (...lines: string[]) => [...lines, end].filter(Boolean).join('\n');
		if (!first || others.length === 0) return [String(first?.headline), below(`${first?.remedy}`)];
		const listed = this.found.slice(0, MAX_LISTED).map(({ headline, remedy }, index) => {
			// Long lists of what is allowed are read once.
			const isTold = this.found.findIndex((one) => one.remedy === remedy) < index;
			return `(${index + 1}) ${headline}.${isTold ? '' : ` ${remedy}`}`;
		});
		const unlisted = this.found.length - listed.length;
		if (unlisted > 0) listed.push(`And ${unlisted} more.`);
		const more = others.length === 1 ? '1 more problem' : `${others.length} more problems`;
		return [`${first.headline}, and ${more}`, below(...listed)];
	}
}
