// @ts-check
/* Elements of the page, with text that is never taken for markup. */

/**
 * The element of index.html with this ID.
 * @template {HTMLElement} T
 * @param {string} id @param {new () => T} kind
 * @returns {T}
 */
function byId(id, kind) {
	const element = document.getElementById(id);
	if (!(element instanceof kind)) throw new Error(`No ${kind.name} with the ID ${id}`);
	return element;
}

/**
 * A new element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Partial<HTMLElementTagNameMap[K]>} properties
 * @param {Array<Node | string>} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	Object.assign(element, properties);
	element.append(...children);
	return element;
}

/**
 * Sets a text only if it is another: a text set again is read out again, and moves the cursor of an input.
 * @param {HTMLElement} element @param {string} text
 */
function setText(element, text) {
	if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input @param {string} value */
function setValue(input, value) {
	if (input.value !== value) input.value = value;
}

/**
 * Offers other choices; what was chosen stays so if it is still among them.
 * @param {HTMLSelectElement} select @param {ReadonlyArray<{ value: string, text: string }>} choices
 */
function fillSelect(select, choices) {
	const now = JSON.stringify(choices);
	if (select.dataset.choices === now) return;
	select.dataset.choices = now;
	const { value, length } = select;
	select.replaceChildren(...choices.map(({ value, text }) => make('option', { value }, text)));
	if (length > 0 && choices.some((choice) => choice.value === value)) select.value = value;
}

/**
 * Fills a list with one element per item; elements of items that stay are kept, with the focus in them.
 * @template T @template {HTMLElement} E
 * @param {HTMLElement} parent @param {readonly T[]} items @param {(item: T) => number} keyOf
 * @param {(item: T) => E} create @param {(element: E, item: T, index: number) => void} update
 */
function fill(parent, items, keyOf, create, update) {
	const keys = new Set(items.map((item) => String(keyOf(item))));
	/** @type {Map<string | undefined, E>} */
	const known = new Map();
	for (const element of /** @type {E[]} */ ([...parent.children])) {
		if (keys.has(element.dataset.key ?? '')) known.set(element.dataset.key, element);
		else element.remove();
	}
	let next = parent.firstElementChild;
	items.forEach((item, index) => {
		const key = String(keyOf(item));
		const element = known.get(key) ?? create(item);
		element.dataset.key = key;
		// Moving an element would take the focus away from it.
		if (element === next) next = next.nextElementSibling;
		else parent.insertBefore(element, next);
		update(element, item, index);
	});
}

/**
 * Tells people who do not see the page.
 * @param {string} text
 */
function announce(text) {
	byId('status', HTMLElement).textContent = text;
}
