// @ts-check
/* The JSON for the node, what is to be said about it, and the way back from JSON to the pages. */

const MAX_PROBLEMS = 10;

/**
 * @param {ReturnType<typeof createStore>} store @param {Paper} paper @param {() => void} showPages
 */
function showJson(store, paper, showPages) {
	const output = byId('json', HTMLTextAreaElement);
	const given = byId('given', HTMLTextAreaElement);
	const problemList = byId('read-problems', HTMLElement);
	const byPosition = byId('by-position', HTMLInputElement);
	let copied = '[]';

	function update() {
		if (store.dragging) return;
		setValue(output, writePlan(store.plan, byPosition.checked ? 'position' : 'email'));
		const advice = adviceOn(store.plan, paper.sheets.length);
		byId('advice', HTMLElement).replaceChildren(...advice.map((text) => make('li', {}, text)));
	}

	async function copy() {
		output.select();
		try {
			await navigator.clipboard.writeText(output.value);
		} catch {
			// Where a page may not use the clipboard, the selected text can still be copied.
			if (!document.execCommand('copy'))
				return announce('The browser did not copy it. Press Ctrl+C.');
		}
		copied = output.value;
		announce('Copied. Paste it into Fields (JSON) of the eSign node.');
	}

	function read() {
		const { plan, problems } = readPlan(given.value, store.plan.recipients);
		const more = problems.length - MAX_PROBLEMS;
		const told = more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `And ${more} more.`] : problems;
		problemList.hidden = problems.length === 0;
		problemList.replaceChildren(...told.map((text) => make('li', {}, text)));
		given.ariaInvalid = String(problems.length > 0);
		if (problems.length > 0) return;
		store.change(plan);
		const [first] = plan.fields;
		const shown = `${count(plan.fields.length, 'field', 'fields')} read.`;
		announce(paper.sheets.length > 0 ? shown : `${shown} Open the PDF to see where they land.`);
		if (!first || paper.sheets.length === 0) return;
		showPages();
		focusBox(first, paper);
	}

	byId('copy', HTMLButtonElement).addEventListener('click', () => void copy());
	byId('show', HTMLButtonElement).addEventListener('click', read);
	for (const id of ['by-email', 'by-position'])
		byId(id, HTMLInputElement).addEventListener('change', update);
	// Closing the page loses what has not been copied.
	window.addEventListener('beforeunload', (event) => {
		if (output.value !== '[]' && output.value !== copied) event.preventDefault();
	});
	store.onChange(update);
}
