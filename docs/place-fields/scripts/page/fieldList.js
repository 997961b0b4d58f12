// @ts-check
/* All fields as a list: the way to those that lie on other pages, or on none. */

/**
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper
 * @param {ReturnType<typeof showLandings>} landings @param {() => void} showPages
 */
function showFieldList(store, paper, landings, showPages) {
	const list = byId('fields', HTMLElement);
	const none = byId('no-fields', HTMLElement);

	/** @param {Field} field */
	function newRow({ key }) {
		const button = make(
			'button',
			{ type: 'button', className: 'quiet' },
			make('span', { className: 'badge' }),
			make('span'),
		);
		button.addEventListener('click', () => {
			store.select(key);
			const field = store.selected;
			const sheet = field && paper.sheets[landings.pageOf(field) - 1];
			if (!sheet) return;
			showPages();
			if (field.anchor) sheet.element.scrollIntoView({ block: 'nearest' });
			else focusBox(field, paper);
		});
		return make('li', {}, button);
	}

	function update() {
		// While a box is dragged nothing here changes but what would flicker.
		if (store.dragging) return;
		const { plan, selected } = store;
		const covered = overlaps(plan.fields);
		none.hidden = plan.fields.length > 0;
		list.hidden = plan.fields.length === 0;
		fill(
			list,
			plan.fields,
			({ key }) => key,
			newRow,
			(row, field) => {
				const [badge, text] = [...(row.firstElementChild?.children ?? [])];
				const { place, name } = whoFills(field, plan);
				const missing = paper.sheets.length > 0 && field.pageNumber > paper.sheets.length;
				const notes = [
					...(covered.has(field.key) ? ['overlaps'] : []),
					...(missing ? ['no such page'] : []),
				];
				row.className = markOf(place);
				if (row.firstElementChild) row.firstElementChild.ariaPressed = String(field === selected);
				if (badge instanceof HTMLElement) setText(badge, badgeOf(place));
				const what = [typeName(field.type), name, landings.inWords(field), ...notes].join(', ');
				if (text instanceof HTMLElement) setText(text, what);
			},
		);
	}

	store.onChange(update);
}
