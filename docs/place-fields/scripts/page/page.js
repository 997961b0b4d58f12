// @ts-check
/* Puts the page together, and opens files. */

const store = createStore({ recipients: [{ key: newKey(), name: '', email: '' }], fields: [] });
const paper = createPaper();

/** The files in their order; pages count through all of them. @type {Array<{ name: string, pdf: SourcePdf }>} */
const files = [];
let reading = new AbortController();

/** @param {'pages' | 'panel'} view on a narrow screen there is room for one of them */
function showView(view) {
	document.body.dataset.view = view;
	byId('view-pages', HTMLElement).ariaPressed = String(view === 'pages');
	byId('view-panel', HTMLElement).ariaPressed = String(view === 'panel');
	if (view === 'panel' && store.selected) byId('selected', HTMLElement).scrollIntoView();
}
const showPages = () => showView('pages');

/**
 * Opens a file in place of those that are open, or after them.
 * @param {File} file @param {'alone' | 'after'} where
 */
async function open(file, where) {
	reading.abort();
	reading = new AbortController();
	const { signal } = reading;
	const problem = byId('open-problem', HTMLElement);
	problem.hidden = true;
	announce(`Reading ${file.name}`);
	const tell = (/** @type {string} */ text) => {
		problem.hidden = false;
		setText(problem, text);
	};
	try {
		const pdf = await openPdf(
			file,
			tell,
			(page, of) => signal.aborted || announce(`Reading ${file.name}: page ${page} of ${of}`),
			signal,
		);
		if (where === 'alone') for (const { pdf } of files.splice(0)) pdf.close();
		files.push({ name: file.name, pdf });
	} catch (error) {
		if (signal.aborted) return;
		tell(`${file.name}: ${error instanceof Error ? error.message : 'cannot be opened'}`);
		announce('');
		return;
	}
	showFiles();
	announce(`${file.name} is open.`);
	const texts = await showTags(paper, signal);
	if (!signal.aborted) landings.read(texts);
}

function showFiles() {
	const pages = files.flatMap(({ pdf }) => pdf.pages);
	paper.show(pages);
	landings.read(new Map());
	let first = 1;
	byId('files', HTMLElement).replaceChildren(
		...files.map(({ name, pdf }) => {
			const last = first + pdf.pages.length - 1;
			const which = last === first ? `page ${first}` : `pages ${first} to ${last}`;
			first = last + 1;
			return make('li', {}, `${name}: ${which}`);
		}),
	);
	byId('files', HTMLElement).hidden = files.length === 0;
	byId('add-label', HTMLElement).hidden = files.length === 0;
}

for (const [id, where] of /** @type {const} */ ([
	['open', 'alone'],
	['add', 'after'],
])) {
	const input = byId(id, HTMLInputElement);
	input.addEventListener('change', () => {
		const [file] = input.files ?? [];
		// The same file can be chosen again, after it was changed.
		input.value = '';
		if (file) void open(file, where);
	});
}

// A file that is dropped anywhere else would replace this page and everything drawn on it.
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
	event.preventDefault();
	const [file] = event.dataTransfer?.files ?? [];
	if (file) void open(file, 'alone');
});

const drawing = createDrawing(store, paper);
const pointer = followPointer(store, paper, drawing);
followKeys(store, paper, drawing, pointer);
showBoxes(store, paper);
const landings = showLandings(store, paper);
showRecipients(store);
showSelectedField(store, paper);
showFieldList(store, paper, landings, showPages);
showJson(store, paper, showPages);

const undoButton = byId('undo', HTMLButtonElement);
const redoButton = byId('redo', HTMLButtonElement);
undoButton.addEventListener('click', (event) => undo(store, event));
redoButton.addEventListener('click', (event) => redo(store, event));
store.onChange(() => {
	undoButton.disabled = !store.canUndo;
	redoButton.disabled = !store.canRedo;
});

byId('zoom-in', HTMLElement).addEventListener('click', () => paper.zoomIn());
byId('zoom-out', HTMLElement).addEventListener('click', () => paper.zoomOut());
byId('zoom-fit', HTMLElement).addEventListener('click', () => paper.zoomFit());
byId('view-pages', HTMLElement).addEventListener('click', showPages);
byId('view-panel', HTMLElement).addEventListener('click', () => showView('panel'));

store.preview(store.plan);
