// @ts-check
/* Drawing, moving and resizing boxes with a mouse, a pen or a finger. */

/** Pixels that a pointer may wander during a click. */
const CLICK = 5;
/** Points; a line drawn by mistake becomes a box that can be seen and caught. */
const THINNEST = 8;

/**
 * @typedef {{ sheet: Sheet, pointerId: number, from: Point, x: number, y: number, moved: boolean, field: Field | undefined,
 *   handle: Handle | undefined }} Drag
 */

/**
 * A finger scrolls the pages, unless Draw Field is on or it is on the selected box; a mouse always draws.
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper @param {ReturnType<typeof createDrawing>} drawing
 */
function followPointer(store, paper, drawing) {
	/** @type {Drag | undefined} */
	let drag;

	/** @param {PointerEvent} event @param {Sheet} sheet @returns {Point} */
	function pointIn(event, { layer }) {
		const { left, top, width, height } = layer.getBoundingClientRect();
		return { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
	}

	/** @param {Drag} drag @param {Point} to @returns {Box} */
	function dragged({ field, handle, from, sheet }, to) {
		if (field && handle) return resizedBox(field, handle, to.x - from.x, to.y - from.y);
		if (field) return movedBox(field, to.x - from.x, to.y - from.y);
		const box = drawnBox(from, to);
		const { width, height } = sheet.source;
		return fittedBox({
			...box,
			widthNorm: Math.max(box.widthNorm, Math.min(1, THINNEST / width)),
			heightNorm: Math.max(box.heightNorm, Math.min(1, THINNEST / height)),
		});
	}

	paper.root.addEventListener('pointerdown', (event) => {
		if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
		const sheet = paper.sheetOf(event.target);
		if (!sheet) return;
		const box = drawing.on ? null : event.target.closest('.box');
		const field = box ? fieldOf(box) : undefined;
		const scrolls =
			event.pointerType === 'touch' && !drawing.on && (!field || field !== store.selected);
		if (scrolls) return;
		// Keeps the browser from selecting text and from moving the focus, which is done here.
		event.preventDefault();
		const handle = event.target.closest('.handle');
		drag = {
			...{
				sheet,
				pointerId: event.pointerId,
				from: pointIn(event, sheet),
				x: event.clientX,
				y: event.clientY,
			},
			...{ moved: false, field },
			handle:
				handle instanceof HTMLElement ? /** @type {Handle} */ (handle.dataset.handle) : undefined,
		};
		paper.root.setPointerCapture(event.pointerId);
		if (field && box instanceof HTMLElement) {
			store.select(field.key);
			box.focus({ preventScroll: true });
		} else if (!field) {
			store.select(null);
			paper.root.focus({ preventScroll: true });
		}
	});

	paper.root.addEventListener('pointermove', (event) => {
		if (!drag || event.pointerId !== drag.pointerId) return;
		drag.moved ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > CLICK;
		if (!drag.moved) return;
		const box = dragged(drag, pointIn(event, drag.sheet));
		if (drag.field) store.preview(withField(store.plan, drag.field.key, box));
		else drawing.preview(drag.sheet, box);
	});

	paper.root.addEventListener('pointerup', (event) => {
		if (!drag || event.pointerId !== drag.pointerId) return;
		const { field, sheet, moved } = drag;
		const point = pointIn(event, sheet);
		const box = dragged(drag, point);
		end();
		if (field && moved && store.plan.fields.some(({ key }) => key === field.key)) {
			store.change(withField(store.plan, field.key, box));
			announce(`${typeName(field.type)}: ${placeInWords(box)}`);
		} else if (!field && moved) {
			drawing.add(sheet, box);
		} else if (!field && drawing.on) {
			drawing.addAt(sheet, point);
		}
	});

	for (const ending of /** @type {const} */ (['pointercancel', 'lostpointercapture'])) {
		paper.root.addEventListener(ending, (event) => {
			if (drag && event.pointerId === drag.pointerId) cancel();
		});
	}

	// A tap of a finger, and what a screen reader does instead of one.
	paper.root.addEventListener('click', (event) => {
		const box = event.target instanceof Element ? event.target.closest('.box') : null;
		const field = box && fieldOf(box);
		if (field) store.select(field.key);
	});

	/** @param {Element} box */
	const fieldOf = (box) =>
		store.plan.fields.find(
			({ key }) => String(key) === /** @type {HTMLElement} */ (box).dataset.key,
		);

	function end() {
		drag = undefined;
		drawing.preview(undefined);
	}

	function cancel() {
		end();
		if (store.dragging) store.revert();
	}

	return {
		/** Takes back what is being dragged; false if there is nothing. */
		cancel() {
			if (!drag) return false;
			cancel();
			return true;
		},
	};
}
