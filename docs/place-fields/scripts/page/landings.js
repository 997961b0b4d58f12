// @ts-check
/* Shows where fields will be that are at texts of the document: on the pages, and in the list of fields. */

/**
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper
 */
function showLandings(store, paper) {
	/** The text of each page, as far as it is read. @type {Map<Sheet, TextPiece[]>} */
	let texts = new Map();
	/** All places of the text of each field. @type {Map<number, Landing[]>} */
	let found = new Map();
	let shown = '';

	/** @param {Field} field */
	function placesOf(field) {
		return paper.sheets.flatMap((sheet) => {
			const boxes = boxesAt(texts.get(sheet) ?? [], sheet.source, field);
			boxes.sort((one, other) => one.yNorm - other.yNorm || one.xNorm - other.xNorm);
			return boxes.map((box) => ({ pageNumber: sheet.number, box }));
		});
	}

	function update() {
		if (store.dragging) return;
		const fields = store.plan.fields.filter(({ anchor }) => anchor);
		const look = JSON.stringify([fields, store.plan.recipients, texts.size]);
		if (look === shown) return;
		shown = look;
		found = new Map(fields.map((field) => [field.key, placesOf(field)]));
		for (const { element } of paper.sheets) element.querySelector('.landings')?.remove();
		for (const sheet of paper.sheets) {
			const marks = fields.flatMap((field) =>
				chosenOf(found.get(field.key) ?? [], /** @type {Anchor} */ (field.anchor))
					.filter(({ pageNumber }) => pageNumber === sheet.number)
					.map(({ box }) => newLanding(field, box)),
			);
			if (marks.length > 0)
				sheet.element.append(
					make('div', { className: 'tags landings', ariaHidden: 'true' }, ...marks),
				);
		}
	}

	/** @param {Field} field @param {Box} box */
	function newLanding(field, box) {
		const what = `${typeName(field.type)} ${badgeOf(whoFills(field, store.plan).place)}`;
		const mark = make(
			'span',
			{ className: 'tag', title: field.anchor?.text ?? '' },
			make('span', {}, what),
		);
		Object.assign(mark.style, fittedStyle(box));
		return mark;
	}

	store.onChange(update);
	return {
		/** @param {Map<Sheet, TextPiece[]>} next the text of the pages that are open */
		read(next) {
			texts = next;
			shown = '';
			store.preview(store.plan);
		},
		/** Where a field is, in words. @param {Field} field */
		inWords(field) {
			const { anchor, pageNumber } = field;
			if (!anchor) return `page ${pageNumber}`;
			const at = `at "${anchor.text}"`;
			if (texts.size === 0) return at;
			const all = found.get(field.key) ?? [];
			if (all.length === 0) return `${at}, not found in the open file`;
			const pages = [...new Set(all.map((place) => place.pageNumber))].join(', ');
			const chosen = chosenOf(all, anchor);
			if (chosen.length === 0) return `${at}, which is there ${all.length} times: page ${pages}`;
			return `${at}, page ${[...new Set(chosen.map((place) => place.pageNumber))].join(', ')}`;
		},
		/** The first page that a field is on. @param {Field} field */
		pageOf({ key, anchor, pageNumber }) {
			return anchor ? (chosenOf(found.get(key) ?? [], anchor)[0]?.pageNumber ?? 0) : pageNumber;
		},
	};
}
