// @ts-check
/* The properties of the selected field, under the names that the node gives them. */

/** What the lists say, where the value alone would not do. @type {Record<string, string>} */
const CHOICE_NAMES = {
	...Object.fromEntries(FIELD_TYPES),
	...{
		STACKED: 'Stacked',
		INLINE: 'Inline',
		HELVETICA: 'Helvetica',
		TIMES: 'Times',
		COURIER: 'Courier',
	},
	...{ SIGNER_FILLED: 'Filled by Signer', PREFILLED: 'Prefilled' },
};

const PLACE = ['xNorm', 'yNorm', 'widthNorm', 'heightNorm'];
/** What is always there after the place; the rest is under More Options. */
const FIRST = ['dropdownOptions', 'fieldKey', 'required'];
/** What only some types can use. @type {Record<string, string[]>} */
const ONLY_FOR = {
	dropdownOptions: ['DROPDOWN', 'RADIO_GROUP'],
	radioLayout: ['RADIO_GROUP'],
	dateFormat: ['DATE'],
};
/** A switch that is off unless it is set, but for this one. */
const ON_BY_DEFAULT = 'required';

/** @param {ReturnType<typeof createStore>} store @param {Paper} paper */
function showSelectedField(store, paper) {
	const section = byId('selected', HTMLElement);
	const recipient = make('select', { id: 'field-recipient' });
	const names = Object.keys(FIELD_RULES).filter((name) => name !== 'recipient');
	const inputs = new Map(names.map((name) => [name, newInput(name)]));
	/** @type {number | undefined} */
	let shownKey;
	const row = (/** @type {string} */ name) => inputs.get(name)?.row ?? '';
	byId('selected-form', HTMLElement).append(
		make(
			'div',
			{ className: 'row' },
			make('label', { htmlFor: recipient.id }, 'Recipient'),
			recipient,
		),
		row('type'),
		row('pageNumber'),
		make('div', { className: 'place' }, ...PLACE.map(row)),
		...FIRST.map(row),
		make(
			'details',
			{},
			make('summary', {}, 'More Options'),
			...Object.keys(OPTION_RULES)
				.filter((name) => !FIRST.includes(name))
				.map(row),
		),
	);

	/** @param {string} name */
	function newInput(name) {
		const rule = /** @type {FieldRule} */ (FIELD_RULES[name]);
		const id = `field-${name}`;
		const input = inputFor(rule);
		input.id = id;
		const problem = make('p', { className: 'problem', id: `${id}-problem`, hidden: true });
		const label = make(
			'label',
			{ htmlFor: id },
			rule.type === 'strings' ? `${rule.label}, one a line` : rule.label,
		);
		const row = make(
			'div',
			{ className: rule.type === 'boolean' ? 'row switch' : 'row' },
			label,
			input,
			problem,
		);
		input.setAttribute('aria-describedby', problem.id);
		input.addEventListener('change', () => {
			if (!store.selected) return;
			const { value, problem: what } = checkValue(given(input, rule), rule);
			problem.hidden = what === undefined;
			input.ariaInvalid = String(what !== undefined);
			setText(problem, what === undefined ? '' : `${rule.label} ${what}.`);
			if (what === undefined) set(store.selected, name, value);
		});
		return { row, input, problem, rule };
	}

	/** @param {Field} field @param {string} name @param {FieldOption | undefined} value */
	function set(field, name, value) {
		const step = `${name} ${field.key}`;
		if (PLACE.includes(name)) {
			const box =
				name === 'xNorm' || name === 'yNorm'
					? movedTo(field, name, Number(value))
					: { ...field, [name]: value };
			const { xNorm, yNorm, widthNorm, heightNorm } = fittedBox(box);
			store.change(withField(store.plan, field.key, { xNorm, yNorm, widthNorm, heightNorm }), step);
		} else if (name === 'type' || name === 'pageNumber') {
			store.change(withField(store.plan, field.key, { [name]: value }), step);
		} else {
			const { [name]: _old, ...others } = field.options;
			const isDefault = value === undefined || value === (name === ON_BY_DEFAULT);
			const options = isDefault ? others : { ...others, [name]: value };
			store.change(withField(store.plan, field.key, { options }), step);
		}
		update(name);
	}

	/** @param {string} [entered] the property that was just entered: it may have been put right */
	function update(entered) {
		const field = store.selected;
		section.hidden = !field;
		const isSame = field?.key === shownKey;
		shownKey = field?.key;
		if (!field) return;
		const people = store.plan.recipients.map((one, index) => ({
			...{ value: String(one.key), text: `${index + 1}: ${recipientName(one, index)}` },
		}));
		fillSelect(recipient, [...people, { value: '', text: 'Nobody yet' }]);
		setValue(recipient, field.recipient === null ? '' : String(field.recipient));
		for (const [name, { row, input, problem, rule }] of inputs) {
			const value = name in field ? field[/** @type {'type'} */ (name)] : field.options[name];
			const isUseless =
				name in ONLY_FOR && value === undefined && !ONLY_FOR[name]?.includes(field.type);
			const isAtText = field.anchor !== undefined && ['pageNumber', ...PLACE].includes(name);
			row.hidden = isUseless || isAtText;
			// What is being typed, or is to be put right, is not lost to a change of something else.
			const isOpen = input === document.activeElement || !(problem.hidden || row.hidden);
			if (isSame && isOpen && name !== entered) continue;
			problem.hidden = true;
			input.ariaInvalid = 'false';
			if (input instanceof HTMLInputElement && input.type === 'checkbox') {
				input.checked = value === undefined ? name === ON_BY_DEFAULT : value === true;
			} else {
				setValue(input, Array.isArray(value) ? value.join('\n') : shownValue(value, rule));
			}
		}
	}

	recipient.addEventListener('change', () => {
		const field = store.selected;
		if (field)
			store.change(
				withField(store.plan, field.key, { recipient: Number(recipient.value) || null }),
			);
	});
	byId('delete', HTMLButtonElement).addEventListener('click', () => removeField(store, paper));
	byId('duplicate', HTMLButtonElement).addEventListener('click', () =>
		duplicateField(store, paper),
	);
	store.onChange(() => update());
}

/** @param {FieldRule} rule */
function inputFor(rule) {
	switch (rule.type) {
		case 'boolean':
			return make('input', { type: 'checkbox' });
		case 'choice': {
			const choices = rule.choices.map((value) =>
				make('option', { value }, CHOICE_NAMES[value] ?? value),
			);
			return make(
				'select',
				{},
				...(rule.required ? [] : [make('option', { value: '' }, 'Not set')]),
				...choices,
			);
		}
		case 'strings':
			return make('textarea', { rows: 3 });
		case 'integer':
			return make('input', {
				type: 'number',
				step: '1',
				min: String(rule.min),
				max: String(rule.max ?? ''),
			});
		case 'number':
			return make('input', {
				type: 'number',
				step: '0.0001',
				min: String(rule.min),
				max: String(rule.max ?? ''),
			});
		default:
			return make('input', { type: 'text', autocomplete: 'off', spellcheck: false });
	}
}

/**
 * What an input holds, as the rules take it.
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input @param {FieldRule} rule
 */
function given(input, rule) {
	if (input instanceof HTMLInputElement && rule.type === 'boolean') return input.checked;
	if (rule.type !== 'strings') return input.value;
	const lines = input.value.split('\n').map((line) => line.trim());
	return lines.filter((line) => line !== '');
}

/** @param {FieldOption | undefined} value @param {FieldRule} rule */
const shownValue = (value, rule) =>
	typeof value === 'number' && rule.type === 'number'
		? String(Number(value.toFixed(4)))
		: String(value ?? '');

/** @param {Box} box @param {'xNorm' | 'yNorm'} side @param {number} to @returns {Box} */
const movedTo = (box, side, to) =>
	side === 'xNorm' ? movedBox(box, to - box.xNorm, 0) : movedBox(box, 0, to - box.yNorm);

/**
 * A second field like the selected one, below it. Its Field Key is left out: a key names one field.
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper
 */
function duplicateField(store, paper) {
	const { selected, plan } = store;
	if (!selected || plan.fields.length >= MAX_FIELDS) return;
	const { fieldKey: _key, id: _id, ...options } = selected.options;
	const size = { width: selected.widthNorm, height: selected.heightNorm };
	const centre = { x: selected.xNorm + size.width / 2, y: selected.yNorm + size.height / 2 };
	const taken = plan.fields.filter(({ pageNumber }) => pageNumber === selected.pageNumber);
	const copy = { ...selected, ...freeBox(size, centre, taken), key: newKey(), options };
	store.change({ ...plan, fields: [...plan.fields, copy] });
	store.select(copy.key);
	focusBox(copy, paper);
	announce(`${typeName(copy.type)} duplicated`);
}
