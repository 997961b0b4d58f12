// @ts-check
/* One entry of the JSON against the rules: what the node accepts is accepted, in the words of the node's messages. */

/**
 * A value in the type of its rule, undefined when it is not set, or what is wrong with it.
 * @typedef {{ value?: FieldOption, problem?: string }} Checked
 */

/** @param {unknown} value */
function describe(value) {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	return typeof value === 'string'
		? `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`
		: String(value);
}

/** @param {unknown} value */
function isNothing(value) {
	if (typeof value === 'string') return value.trim() === '';
	return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * A list of one is that one, as the node takes it, and text is trimmed.
 * @param {unknown} value
 * @returns {unknown}
 */
function plainOf(value) {
	const only =
		Array.isArray(value) && value.length === 1 && !Array.isArray(value[0]) ? value[0] : value;
	return typeof only === 'string' ? only.trim() : only;
}

/** An emoji is one character, not two. @param {string} text */
const charactersOf = (text) => [...text].length;

/**
 * @param {unknown} input @param {FieldRule} rule
 * @returns {Checked}
 */
function checkValue(input, rule) {
	if (isNothing(input)) return rule.required ? { problem: 'is missing' } : {};
	const value = rule.type === 'strings' ? input : plainOf(input);
	switch (rule.type) {
		case 'string':
			return checkText(value, rule);
		case 'integer':
		case 'number':
			return checkNumber(value, rule);
		case 'boolean':
			if (typeof value === 'boolean') return { value };
			if (value === 'true' || value === 'false') return { value: value === 'true' };
			return { problem: `is ${describe(value)}. Use true or false` };
		case 'choice': {
			const choice = rule.choices.find(
				(one) => typeof value === 'string' && one.toLowerCase() === value.toLowerCase(),
			);
			return choice
				? { value: choice }
				: { problem: `is ${describe(value)}. Use ${rule.choices.join(', ')}` };
		}
		case 'strings':
			return checkTexts(value, rule);
	}
}

/**
 * @param {unknown} value @param {FieldRule & { type: 'string' }} rule
 * @returns {Checked}
 */
function checkText(value, rule) {
	if (typeof value !== 'string' && !Number.isFinite(value))
		return { problem: `is ${describe(value)}. Give a text` };
	const text = String(value);
	const characters = charactersOf(text);
	if (characters > (rule.max ?? Infinity)) {
		return { problem: `has ${characters} characters. Shorten it to ${rule.max} at most` };
	}
	if (rule.pattern && !rule.pattern.test(text))
		return { problem: `is ${describe(text)}. Use ${rule.form}` };
	return { value: text };
}

/**
 * @param {unknown} value @param {FieldRule & { type: 'integer' | 'number' }} rule
 * @returns {Checked}
 */
function checkNumber(value, rule) {
	const number = typeof value === 'string' ? Number(value) : value;
	const { min, max = Infinity } = rule;
	const isNumber = typeof number === 'number' && Number.isFinite(number);
	if (
		isNumber &&
		number >= min &&
		number <= max &&
		(rule.type === 'number' || Number.isInteger(number))
	) {
		return { value: number };
	}
	const range = rule.max === undefined ? `${min} or more` : `from ${min} to ${max}`;
	return {
		problem: `is ${describe(value)}. Use ${rule.type === 'integer' ? 'a whole number' : 'a number'} ${range}`,
	};
}

/**
 * @param {unknown} value @param {FieldRule & { type: 'strings' }} rule
 * @returns {Checked}
 */
function checkTexts(value, rule) {
	/** @type {unknown[]} */
	const list =
		typeof value === 'string'
			? value.split(',').filter((part) => !isNothing(part))
			: [value].flat(2);
	if (list.length === 0) return { problem: 'is empty. Name at least one' };
	if (list.length > rule.items)
		return { problem: `has ${list.length} entries. Use ${rule.items} at most` };
	/** @type {string[]} */
	const texts = [];
	for (const entry of list) {
		if (isNothing(entry)) return { problem: 'has an entry with nothing in it. Leave it out' };
		const checked = checkText(plainOf(entry), { ...rule, type: 'string' });
		if (checked.problem !== undefined) return checked;
		texts.push(String(checked.value));
	}
	return { value: texts };
}

/** Sums of two decimal fractions may exceed 1 by a rounding error. */
const ROUNDING = 1e-9;

/**
 * @param {Partial<FieldEntry>} entry
 * @returns {string[]}
 */
function checkFits(entry) {
	const edges = /** @type {const} */ ([
		['xNorm', 'widthNorm', 'right'],
		['yNorm', 'heightNorm', 'bottom'],
	]);
	return edges.flatMap(([start, extent, edge]) => {
		const from = entry[start];
		const length = entry[extent];
		if (from === undefined || length === undefined || from + length <= 1) return [];
		if (from + length <= 1 + ROUNDING) {
			entry[extent] = 1 - from;
			return [];
		}
		const sum = Number((from + length).toFixed(6));
		return [
			`the box leaves the page at its ${edge} edge: ${start} plus ${extent} is ${sum}. Use 1 at most`,
		];
	});
}

/**
 * One entry with its values in their types, and what is wrong with it (nothing, if it is empty).
 * @param {unknown} input
 * @returns {{ entry: FieldEntry, problems: string[] }}
 */
function checkField(input) {
	/** @type {Record<string, FieldOption>} */
	const entry = {};
	/** @type {string[]} */
	const problems = [];
	const result = { entry: /** @type {FieldEntry} */ (/** @type {unknown} */ (entry)), problems };
	if (!isObject(input)) {
		problems.push(
			`is ${describe(input)}. Give an object with type, and pageNumber, xNorm, yNorm, widthNorm, heightNorm or anchor`,
		);
		return result;
	}
	// The node takes what is in the anchor and what is beside it as one.
	const { anchor, ...beside } = input;
	const given = isObject(anchor) ? { ...beside, ...anchor } : input;
	const rules = isObject(anchor) ? AT_TEXT_RULES : FIELD_RULES;
	for (const name of Object.keys(given)) {
		if (Object.hasOwn(rules, name)) continue;
		const remedy =
			name === 'recipientId' ? 'Use recipient, with an email or a position' : 'Remove it';
		problems.push(`has an unknown property "${name.slice(0, 60)}". ${remedy}`);
	}
	for (const [name, rule] of Object.entries(rules)) {
		const { value, problem } = checkValue(
			Object.hasOwn(given, name) ? given[name] : undefined,
			rule,
		);
		if (problem) problems.push(`${name} ${problem}`);
		else if (value !== undefined) entry[name] = value;
	}
	problems.push(...checkFits(result.entry));
	return result;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
