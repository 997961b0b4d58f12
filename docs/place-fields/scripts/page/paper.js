// @ts-check
/* The pages on the screen: each is drawn when it comes near, and forgotten when it is far away. */

/**
 * A page on the screen. `layer` lies exactly over the picture of the page and holds the boxes.
 * @typedef {{ source: SourcePage, number: number, element: HTMLElement, layer: HTMLElement, near: boolean,
 *   scale: number, drawing: { cancel(): void } | null }} Sheet
 */

const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

/** @typedef {ReturnType<typeof createPaper>} Paper */

function createPaper() {
	const root = byId('paper', HTMLElement);
	const empty = byId('empty', HTMLElement);
	const zoomOutput = byId('zoom', HTMLOutputElement);
	/** @type {Sheet[]} */
	let sheets = [];
	let zoom = 1;
	let column = 0;
	let busy = false;

	const nearby = new IntersectionObserver(
		(entries) => {
			for (const { target, isIntersecting } of entries) {
				const sheet = sheetOf(target);
				if (!sheet) continue;
				sheet.near = isIntersecting;
				if (!isIntersecting) forget(sheet);
			}
			void drawNext();
		},
		{ root, rootMargin: '100% 50%' },
	);

	/** @param {Element} element */
	function sheetOf(element) {
		const page = element.closest('.sheet');
		return sheets.find(({ element: one }) => one === page);
	}

	/** @param {Sheet} sheet */
	function forget(sheet) {
		sheet.drawing?.cancel();
		sheet.scale = 0;
		sheet.element.querySelector('canvas')?.remove();
	}

	/** @param {Sheet} sheet */
	const wantedScale = ({ source }) =>
		drawingScale(source, shownSize(source, column, zoom), window.devicePixelRatio);

	/** Draws one page after the other, the one in view first. */
	async function drawNext() {
		if (busy) return;
		const waiting = sheets.filter((sheet) => sheet.near && sheet.scale !== wantedScale(sheet));
		const current = currentSheet();
		waiting.sort(
			(a, b) =>
				Math.abs(a.number - (current?.number ?? 1)) - Math.abs(b.number - (current?.number ?? 1)),
		);
		const sheet = waiting[0];
		if (!sheet) return;
		busy = true;
		await drawSheet(sheet);
		busy = false;
		void drawNext();
	}

	/** @param {Sheet} sheet */
	async function drawSheet(sheet) {
		const scale = wantedScale(sheet);
		const canvas = make('canvas');
		// Set before the end: a page that cannot be drawn is not tried for ever.
		sheet.scale = scale;
		try {
			const { done, cancel } = sheet.source.draw(canvas, scale);
			sheet.drawing = { cancel };
			await done;
			if (sheet.scale !== scale) return;
			sheet.element.querySelector('canvas')?.remove();
			sheet.element.prepend(canvas);
			sheet.element.dataset.drawn = String(scale);
		} catch {
			if (sheet.scale === scale) sheet.element.classList.add('failed');
		} finally {
			sheet.drawing = null;
		}
	}

	/** The page that fills most of the view. */
	function currentSheet() {
		const view = root.getBoundingClientRect();
		const middle = view.top + view.height / 2;
		return (
			sheets.find(({ element }) => element.getBoundingClientRect().bottom >= middle) ??
			sheets.at(-1)
		);
	}

	function layOut() {
		const { paddingLeft, paddingRight } = getComputedStyle(root);
		column = Math.max(
			100,
			root.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
		);
		for (const { source, element } of sheets) {
			const { width, height } = shownSize(source, column, zoom);
			element.style.width = `${width}px`;
			element.style.height = `${height}px`;
		}
		void drawNext();
	}

	/** @param {number} next */
	function zoomTo(next) {
		const current = currentSheet();
		const before = current && current.element.offsetTop - root.scrollTop;
		const ratio = next / zoom;
		zoom = next;
		zoomOutput.value = `${Math.round(zoom * 100)} %`;
		layOut();
		if (current && before !== undefined)
			root.scrollTop = current.element.offsetTop - before * ratio;
	}

	new ResizeObserver(layOut).observe(root);
	window.addEventListener('resize', layOut);

	return {
		root,
		sheetOf,
		currentSheet,
		get sheets() {
			return sheets;
		},
		/** @param {readonly SourcePage[]} sources */
		show(sources) {
			for (const sheet of sheets) {
				forget(sheet);
				sheet.element.remove();
			}
			nearby.disconnect();
			sheets = sources.map((source, index) => newSheet(source, index + 1, sources.length));
			empty.hidden = sheets.length > 0;
			root.append(...sheets.map(({ element }) => element));
			layOut();
			for (const { element } of sheets) nearby.observe(element);
		},
		zoomIn: () => zoomTo(ZOOMS.find((one) => one > zoom) ?? zoom),
		zoomOut: () => zoomTo(ZOOMS.findLast((one) => one < zoom) ?? zoom),
		zoomFit: () => zoomTo(1),
	};
}

/**
 * @param {SourcePage} source @param {number} number @param {number} of
 * @returns {Sheet}
 */
function newSheet(source, number, of) {
	const layer = make('div', { className: 'layer' });
	const element = make('div', {
		className: 'sheet',
		role: 'group',
		ariaLabel: `Page ${number} of ${of}`,
	});
	const note = make(
		'p',
		{ className: 'failed-note' },
		'This page cannot be shown. Fields can be placed on it.',
	);
	element.append(
		note,
		layer,
		make('span', { className: 'page-number', ariaHidden: 'true' }, String(number)),
	);
	return { source, number, element, layer, near: false, scale: 0, drawing: null };
}
