// @ts-check
/* The JSON of the parameter Fields to Place > Using JSON: reading it and writing it. */

/** A recipient that is given by the position in the node's list. */
const POSITION = /^\d+$/;

/**
 * The entries that the node would read from a text, or what it would refuse.
 * @param {string} text
 * @returns {{ entries: FieldEntry[], problems: string[] }}
 */
function readEntries(text) {
	/** @type {unknown} */
	let value;
	try {
		value = text.trim() === '' ? [] : JSON.parse(text.trim());
	} catch (error) {
		return { entries: [], problems: [`This is not valid JSON${positionIn(text.trim(), error)}.`] };
	}
	const list = listIn(value);
	if (!list)
		return {
			entries: [],
			problems: [`This is ${describe(value)}. Give a JSON array, one object per field.`],
		};
	if (list.length > MAX_FIELDS) {
		return {
			entries: [],
			problems: [`There are ${list.length} fields. A document can have ${MAX_FIELDS} at most.`],
		};
	}
	const checked = list.map(checkField);
	return {
		entries: checked.map(({ entry }) => entry),
		problems: checked.flatMap(({ problems }, index) =>
			problems.map((problem) => `Field ${index + 1}: ${problem}.`),
		),
	};
}

/**
 * An array, an object with the array as `fields`, or a single field.
 * @param {unknown} value
 * @returns {unknown[] | undefined}
 */
function listIn(value) {
	if (value === null) return [];
	if (Array.isArray(value)) return value;
	if (typeof value !== 'object') return undefined;
	const { fields } = /** @type {{ fields?: unknown }} */ (value);
	return Array.isArray(fields) ? fields : [value];
}

/** @param {string} text @param {unknown} error */
function positionIn(text, error) {
	const position =
		error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
	if (position === undefined) return '';
	const before = text.slice(0, Number(position)).split('\n');
	return ` (line ${before.length}, column ${(before.at(-1) ?? '').length + 1})`;
}

/**
 * A plan from JSON. Recipients who are there already keep their names; those whom only the JSON names are added.
 * @param {string} text @param {readonly Recipient[]} known
 * @returns {{ plan: Plan, problems: string[] }}
 */
function readPlan(text, known) {
	const { entries, problems } = readEntries(text);
	const recipients = withoutTrailingBlanks(known);
	const positions = entries.map(({ recipient }) =>
		recipient && POSITION.test(recipient) ? Number(recipient) : 0,
	);
	const highest = Math.min(Math.max(0, ...positions), MAX_RECIPIENTS);
	while (recipients.length < highest) recipients.push({ key: newKey(), name: '', email: '' });
	entries.forEach(({ recipient }, index) => {
		if (!recipient) return;
		if (POSITION.test(recipient)) {
			const position = Number(recipient);
			if (position >= 1 && position <= MAX_RECIPIENTS) return;
			problems.push(
				`Field ${index + 1}: recipient ${recipient} is not a position from 1 to ${MAX_RECIPIENTS}.`,
			);
		} else if (!withEmail(recipients, recipient)) {
			recipients.push({ key: newKey(), name: '', email: recipient });
		}
	});
	if (recipients.length > MAX_RECIPIENTS) {
		problems.push(
			`With these there are ${recipients.length} recipients. A document can have ${MAX_RECIPIENTS}.`,
		);
	}
	if (problems.length > 0) return { plan: { recipients: known, fields: [] }, problems };
	return {
		plan: { recipients, fields: entries.map((entry) => toField(entry, recipients)) },
		problems,
	};
}

/**
 * Empty rows at the end say nothing about anybody.
 * @param {readonly Recipient[]} recipients
 */
function withoutTrailingBlanks(recipients) {
	const last = recipients.findLastIndex(
		({ name, email }) => name.trim() !== '' || email.trim() !== '',
	);
	return recipients.slice(0, last + 1);
}

/** @param {readonly Recipient[]} recipients @param {string} email */
const withEmail = (recipients, email) =>
	recipients.find((one) => one.email.trim().toLowerCase() === email.toLowerCase());

/**
 * @param {FieldEntry} entry @param {readonly Recipient[]} recipients
 * @returns {Field}
 */
function toField({ recipient, type, ...entry }, recipients) {
	const who =
		recipient &&
		(POSITION.test(recipient)
			? recipients[Number(recipient) - 1]
			: withEmail(recipients, recipient));
	const options = /** @type {Record<string, FieldOption>} */ (only(entry, OPTION_RULES));
	const common = { key: newKey(), recipient: who ? who.key : null, type, options };
	if ('text' in entry) {
		const anchor = /** @type {Anchor} */ (/** @type {unknown} */ (only(entry, ANCHOR_RULES)));
		return { ...common, anchor, pageNumber: 0, xNorm: 0, yNorm: 0, widthNorm: 0, heightNorm: 0 };
	}
	const { pageNumber, xNorm, yNorm, widthNorm, heightNorm } = entry;
	return { ...common, pageNumber, xNorm, yNorm, widthNorm, heightNorm };
}

/**
 * What the rules know of an object, in their order.
 * @param {object} all @param {Record<string, FieldRule>} rules
 */
function only(all, rules) {
	const values = /** @type {Record<string, FieldOption | undefined>} */ (all);
	return Object.fromEntries(
		Object.keys(rules).flatMap((name) => (name in values ? [[name, values[name]]] : [])),
	);
}

/**
 * The JSON of a plan, one field a line. A recipient is named by email, or by position if asked for or if there is none.
 * @param {Plan} plan @param {'email' | 'position'} by
 */
function writePlan({ recipients, fields }, by) {
	const lines = fields.map((field) => {
		const place = recipients.findIndex(({ key }) => key === field.recipient);
		const email = by === 'email' ? recipients[place]?.email.trim() : undefined;
		const who = place < 0 ? {} : { recipient: email || place + 1 };
		const { type, options } = field;
		const entry = { ...who, type, ...placeOf(field), ...only(options, OPTION_RULES) };
		return `  ${JSON.stringify(entry)}`;
	});
	return lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n]`;
}

/**
 * Where a field is, as the JSON says it.
 * @param {Field} field
 */
function placeOf({ anchor, pageNumber, xNorm, yNorm, widthNorm, heightNorm }) {
	if (!anchor) return { pageNumber, xNorm, yNorm, widthNorm, heightNorm };
	const { widthNorm: width, heightNorm: height, ...text } = anchor;
	return { anchor: text, widthNorm: width, heightNorm: height };
}
