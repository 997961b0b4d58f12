// @ts-check
/* The fields as boxes over the pages. */

/** @type {readonly Handle[]} */
const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'];

/** Recipients look different by colour, by the line around the box and by their number. */
const markOf = (/** @type {number} */ place) => (place < 0 ? 'mark-none' : `mark-${place + 1}`);

/** @param {number} place */
const badgeOf = (place) => (place < 0 ? '–' : String(place + 1));

const percent = (/** @type {number} */ fraction) => `${Number((fraction * 100).toFixed(2))} %`;

/** @param {Box} box */
function placeInWords({ xNorm, yNorm, widthNorm, heightNorm }) {
	const size = `width ${percent(widthNorm)}, height ${percent(heightNorm)}`;
	return `left ${percent(xNorm)}, top ${percent(yNorm)}, ${size}`;
}

/**
 * @param {Field} field @param {Plan} plan
 * @returns {{ place: number, name: string }} of the recipient; place -1 while nobody is to fill the field
 */
function whoFills(field, { recipients }) {
	const place = recipients.findIndex(({ key }) => key === field.recipient);
	const recipient = recipients[place];
	return { place, name: recipient ? recipientName(recipient, place) : 'nobody yet' };
}

/**
 * Keeps the boxes in step with the plan.
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper
 */
function showBoxes(store, paper) {
	/** What each box shows, to leave alone what has not changed. @type {WeakMap<Element, string>} */
	const shown = new WeakMap();

	function update() {
		const { plan, selected } = store;
		const overlapping = overlaps(plan.fields);
		const byPage = groupByPage(plan.fields);
		for (const { number, layer } of paper.sheets) {
			fill(
				layer,
				byPage.get(number) ?? [],
				({ key }) => key,
				newBox,
				(element, field) => {
					updateBox(element, field, plan, field === selected, overlapping.has(field.key));
				},
			);
		}
	}

	/** @param {HTMLElement} element @param {Field} field @param {Plan} plan @param {boolean} isSelected @param {boolean} isCovered */
	function updateBox(element, field, plan, isSelected, isCovered) {
		const { place, name } = whoFills(field, plan);
		const look = JSON.stringify([
			field.type,
			field.pageNumber,
			fittedStyle(field),
			place,
			name,
			isSelected,
			isCovered,
		]);
		if (shown.get(element) === look) return;
		shown.set(element, look);
		element.className = `box ${markOf(place)}${isCovered ? ' covered' : ''}`;
		element.ariaPressed = String(isSelected);
		Object.assign(element.style, fittedStyle(field));
		const [badge, type, rest] = [...element.children];
		if (badge) badge.textContent = badgeOf(place);
		if (type) type.textContent = typeName(field.type);
		const covered = isCovered ? ', overlaps another field' : '';
		if (rest)
			rest.textContent = ` for ${name}, page ${field.pageNumber}, ${placeInWords(field)}${covered}`;
		const handles = element.querySelectorAll('.handle');
		if (isSelected && handles.length === 0) element.append(...HANDLES.map(newHandle));
		if (!isSelected) for (const handle of handles) handle.remove();
	}

	store.onChange(update);
	return { update };
}

/** @param {readonly Field[]} fields */
function groupByPage(fields) {
	/** @type {Map<number, Field[]>} */
	const pages = new Map();
	for (const field of fields) {
		const page = pages.get(field.pageNumber);
		if (page) page.push(field);
		else pages.set(field.pageNumber, [field]);
	}
	return pages;
}

/** @param {Box} box */
const fittedStyle = ({ xNorm, yNorm, widthNorm, heightNorm }) => ({
	left: `${xNorm * 100}%`,
	top: `${yNorm * 100}%`,
	width: `${widthNorm * 100}%`,
	height: `${heightNorm * 100}%`,
});

function newBox() {
	const element = make(
		'button',
		{ type: 'button' },
		make('span', { className: 'badge' }),
		make('span', { className: 'type' }),
		make('span', { className: 'visually-hidden' }),
	);
	element.setAttribute('aria-describedby', 'keys');
	return element;
}

/** @param {Handle} handle */
function newHandle(handle) {
	const element = make('span', { className: `handle handle-${handle}`, ariaHidden: 'true' });
	element.dataset.handle = handle;
	return element;
}

/**
 * Scrolls to the box of a field and puts the focus on it, if its page is there.
 * @param {Field} field @param {Paper} paper
 */
function focusBox(field, paper) {
	const layer = paper.sheets[field.pageNumber - 1]?.layer;
	const box = layer?.querySelector(`[data-key="${field.key}"]`);
	if (!(box instanceof HTMLElement)) return;
	box.focus({ preventScroll: true });
	box.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
