// @ts-check
/* Fields by keyboard: Tab reaches the boxes, the keys below change the one that has the focus. */

/** Fraction of the page per key press; exact places are typed into Selected Field. */
const KEY_STEP = 0.005;

/** @type {Record<string, readonly [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper
 * @param {ReturnType<typeof createDrawing>} drawing @param {ReturnType<typeof followPointer>} pointer
 */
function followKeys(store, paper, drawing, pointer) {
	paper.root.addEventListener('focusin', ({ target }) => {
		const key =
			target instanceof HTMLElement && target.classList.contains('box')
				? Number(target.dataset.key)
				: null;
		if (key !== null) store.select(key);
	});

	paper.root.addEventListener('keydown', (event) => {
		const field = store.selected;
		const onBox = event.target instanceof Element && event.target.classList.contains('box');
		if (!field || !onBox || event.ctrlKey || event.metaKey || event.altKey) return;
		const arrow = ARROWS[event.key];
		if (arrow) {
			event.preventDefault();
			const [dx, dy] = arrow.map((direction) => direction * KEY_STEP);
			const box = event.shiftKey
				? resizedBox(field, 'se', dx ?? 0, dy ?? 0)
				: movedBox(field, dx ?? 0, dy ?? 0);
			store.change(withField(store.plan, field.key, box), `keys ${field.key}`);
			focusBox({ ...field, ...box }, paper);
			announce(placeInWords(box));
		} else if (event.key === 'Delete' || event.key === 'Backspace') {
			event.preventDefault();
			removeField(store, paper);
		}
	});

	document.addEventListener('keydown', (event) => {
		if (event.key === 'Escape') {
			if (pointer.cancel()) return;
			if (drawing.on) return drawing.off();
			if (paper.root.contains(document.activeElement)) paper.root.focus({ preventScroll: true });
			store.select(null);
			return;
		}
		const typing =
			event.target instanceof Element && event.target.closest('input, textarea, select');
		if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
		const key = event.key.toLowerCase();
		if (key === 'z' && pointer.cancel()) return;
		if (key === 'z' && !event.shiftKey) undo(store, event);
		else if (key === 'y' || (key === 'z' && event.shiftKey)) redo(store, event);
	});
}

/** @param {ReturnType<typeof createStore>} store @param {Event} event */
function undo(store, event) {
	event.preventDefault();
	announce(store.canUndo ? 'Undone' : 'Nothing to undo');
	store.undo();
}

/** @param {ReturnType<typeof createStore>} store @param {Event} event */
function redo(store, event) {
	event.preventDefault();
	announce(store.canRedo ? 'Redone' : 'Nothing to redo');
	store.redo();
}

/**
 * Removes the selected field; the focus goes to the next one on the page.
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper
 */
function removeField(store, paper) {
	const { selected, plan } = store;
	if (!selected) return;
	const onPage = plan.fields.filter(({ pageNumber }) => pageNumber === selected.pageNumber);
	const place = onPage.indexOf(selected);
	const next = onPage[place + 1] ?? onPage[place - 1];
	store.change({ ...plan, fields: plan.fields.filter(({ key }) => key !== selected.key) });
	if (next) focusBox(next, paper);
	else paper.root.focus({ preventScroll: true });
	announce(`${typeName(selected.type)} removed`);
}
