// @ts-check
/* Adding fields: for whom, of which type, and where. */

/**
 * New fields: for whom, of which type, and whether the next touch draws.
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper
 */
function createDrawing(store, paper) {
	const recipient = byId('recipient', HTMLSelectElement);
	const type = byId('type', HTMLSelectElement);
	const button = byId('draw', HTMLButtonElement);
	const shape = make('div', { className: 'drawn' });
	let on = false;

	/** @param {boolean} next */
	function turn(next) {
		on = next;
		button.ariaPressed = String(on);
		paper.root.classList.toggle('drawing', on);
		if (on) announce('Drag over a page to draw the field, or tap where it belongs.');
	}

	/** @param {Sheet} sheet @param {Box} box */
	function add(sheet, box) {
		turn(false);
		const { plan } = store;
		if (plan.fields.length >= MAX_FIELDS) {
			announce(`There are ${MAX_FIELDS} fields, as many as a document can have.`);
			return;
		}
		/** @type {Field} */
		const field = {
			...{ key: newKey(), recipient: Number(recipient.value) || null, type: type.value },
			...{ pageNumber: sheet.number, ...box, options: {} },
		};
		store.change({ ...plan, fields: [...plan.fields, field] });
		store.select(field.key);
		focusBox(field, paper);
		announce(`${typeName(field.type)} added to page ${sheet.number}: ${placeInWords(box)}`);
	}

	/** @param {Sheet} sheet @param {Point} centre */
	function addAt(sheet, centre) {
		const { width, height } = DEFAULT_SIZES[type.value] ?? DEFAULT_SIZE;
		const size = {
			width: Math.min(1, width / sheet.source.width),
			height: Math.min(1, height / sheet.source.height),
		};
		const taken = store.plan.fields.filter(({ pageNumber }) => pageNumber === sheet.number);
		add(sheet, freeBox(size, centre, taken));
	}

	type.append(...[...FIELD_TYPES].map(([value, text]) => make('option', { value }, text)));
	type.value = 'SIGNATURE';
	button.addEventListener('click', () => turn(!on));
	byId('add-field', HTMLButtonElement).addEventListener('click', () => {
		const sheet = paper.currentSheet();
		if (!sheet) return announce('Open a PDF first.');
		const view = paper.root.getBoundingClientRect();
		const page = sheet.layer.getBoundingClientRect();
		const top = Math.max(view.top, page.top);
		const bottom = Math.min(view.bottom, page.bottom);
		addAt(sheet, { x: 0.5, y: ((top + bottom) / 2 - page.top) / page.height });
	});
	store.onChange(() => {
		const people = store.plan.recipients.map((one, index) => ({
			...{ value: String(one.key), text: `${index + 1}: ${recipientName(one, index)}` },
		}));
		fillSelect(recipient, [...people, { value: '', text: 'Nobody yet' }]);
	});

	return {
		get on() {
			return on;
		},
		off: () => turn(false),
		add,
		addAt,
		/** Shows the box that is being drawn. @param {Sheet} [sheet] @param {Box} [box] */
		preview(sheet, box) {
			if (!sheet || !box) return shape.remove();
			Object.assign(shape.style, fittedStyle(box));
			if (shape.parentElement !== sheet.element) sheet.element.append(shape);
		},
	};
}
