// @ts-check
/* Shows the tags of the open files: on the pages, where their fields will be, and as a list. */

/**
 * Reads the text of one page after the other.
 * @param {Paper} paper @param {AbortSignal} signal ends it, as when another file is opened
 * @returns the text of each page, as far as it could be read
 */
async function showTags(paper, signal) {
	const list = byId('tags', HTMLElement);
	const { sheets } = paper;
	list.replaceChildren();
	showSummary(0, 0);
	/** @type {Map<Sheet, TextPiece[]>} */
	const texts = new Map();
	let tags = 0;
	let wrong = 0;
	for (const sheet of sheets) {
		const { source, number, element } = sheet;
		// A page whose text cannot be read has no tags to show.
		const pieces = await source.text().catch(() => []);
		if (signal.aborted) return texts;
		texts.set(sheet, pieces);
		const found = tagsIn(pieces, source);
		const isTag = found.filter(({ type }) => type);
		tags += isTag.length;
		wrong += found.length - isTag.length;
		if (found.length === 0) continue;
		element.append(make('div', { className: 'tags', ariaHidden: 'true' }, ...found.map(newMark)));
		list.append(...found.map((tag) => make('li', {}, tagInWords(tag, number))));
		showSummary(tags, wrong);
	}
	return texts;
}

/** @param {number} tags @param {number} wrong */
function showSummary(tags, wrong) {
	byId('tags-section', HTMLElement).hidden = tags === 0;
	// Without any tag, double brackets are words of the contract.
	byId('paper', HTMLElement).classList.toggle('has-tags', tags > 0);
	setText(
		byId('tags-found', HTMLElement),
		`${count(tags, 'tag', 'tags')} found. With Fields to Place > Automatic, the node puts its fields there: draw none for them.`,
	);
	const problem = byId('tags-wrong', HTMLElement);
	problem.hidden = wrong === 0;
	const what = count(
		wrong,
		'text in double brackets is no tag',
		'texts in double brackets are no tags',
	);
	setText(problem, `${what}. The node refuses the document until they are put right.`);
}

/** @param {FoundTag} tag @param {number} page */
function tagInWords({ type, recipient, text }, page) {
	return type
		? `${typeName(type)}, recipient ${recipient}, page ${page}`
		: `${text} is no tag, page ${page}`;
}

/** @param {FoundTag} tag */
function newMark({ type, recipient, text, box }) {
	const what = type ? `${typeName(type)} ${recipient}` : text;
	const mark = make(
		'span',
		{ className: type ? 'tag' : 'tag wrong', title: text },
		make('span', {}, what),
	);
	Object.assign(mark.style, fittedStyle(box));
	return mark;
}
