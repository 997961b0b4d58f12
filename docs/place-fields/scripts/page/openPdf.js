// @ts-check
/* Opens PDFs with pdf.js, in a worker of their own, and draws their pages. */

/** What the service accepts. */
const LARGEST_FILE = 25 * 1024 * 1024;
/** Pixels of a picture within a page; larger ones stay blank rather than fill the memory. */
const LARGEST_PICTURE = 100e6;

/** Why a file could not be opened, in words for people. */
class OpenError extends Error {}

/**
 * @param {File} file
 * @param {(message: string) => void} onGap told what of the file cannot be shown
 * @param {(page: number, of: number) => void} onProgress
 * @param {AbortSignal} signal ends the reading
 * @returns {Promise<SourcePdf>}
 * @throws {OpenError}
 */
async function openPdf(file, onGap, onProgress, signal) {
	if (file.size > LARGEST_FILE) {
		// Rounded up: a byte more than 25 MB is not 25.0 MB.
		const megabytes = (Math.ceil((file.size / 1024 / 1024) * 10) / 10).toFixed(1);
		throw new OpenError(`The file has ${megabytes} MB. The service takes 25 MB at most.`);
	}
	const data = new Uint8Array(await file.arrayBuffer());
	const port = startWorker();
	const worker = new pdfjs.PDFWorker(port ? { port } : {});
	const task = pdfjs.getDocument({ data, worker, ...loadingFrom(onGap) });
	const close = () => {
		// A worker that hangs on a broken file does not answer, so it is not asked to end.
		void task.destroy().catch(() => {});
		worker.destroy();
		port?.terminate();
	};
	const stopped = new Promise((_resolve, reject) => {
		const stop = (/** @type {string} */ why) => reject(new OpenError(why));
		port?.addEventListener('error', () => stop('The browser could not start the PDF reader.'));
		if (signal.aborted) stop('');
		signal.addEventListener('abort', () => stop(''));
	});
	try {
		return { pages: await Promise.race([readPages(task, onProgress), stopped]), close };
	} catch (error) {
		close();
		throw error instanceof OpenError ? error : new OpenError(reasonOf(error));
	}
}

/**
 * @param {ReturnType<typeof pdfjs.getDocument>} task
 * @param {(page: number, of: number) => void} onProgress
 */
async function readPages(task, onProgress) {
	const pdf = await task.promise;
	/** @type {SourcePage[]} */
	const pages = [];
	for (let number = 1; number <= pdf.numPages; number++) {
		const page = await pdf.getPage(number);
		pages.push(sourcePage(page));
		if (number % 50 === 0) onProgress(number, pdf.numPages);
	}
	if (pages.length === 0) throw new OpenError('The file has no pages.');
	return pages;
}

/**
 * The page as a reader shows it: pdf.js crops and turns it, as the service does for what it places.
 * @param {PdfjsPage} page
 * @returns {SourcePage}
 */
function sourcePage(page) {
	const { width, height } = page.getViewport({ scale: 1 });
	return {
		width,
		height,
		draw(canvas, scale) {
			const viewport = page.getViewport({ scale });
			canvas.width = Math.max(1, Math.round(viewport.width));
			canvas.height = Math.max(1, Math.round(viewport.height));
			const rendering = page.render({ canvas, viewport });
			const done = rendering.promise.finally(() => page.cleanup());
			return { done, cancel: () => rendering.cancel() };
		},
		async text() {
			const { items } = await page.getTextContent();
			return items.flatMap((item) =>
				item.str === undefined ? [] : [pieceOf(page, item.str, item)],
			);
		},
	};
}

/**
 * A piece of text in points of the page as it is seen.
 * @param {PdfjsPage} page @param {string} text @param {PdfjsText} item
 * @returns {TextPiece}
 */
function pieceOf(page, text, { transform: [a, b, , , x, y], width, height }) {
	const size = Math.hypot(a, b) || 1;
	const [across, up] = [a / size, b / size];
	const viewport = page.getViewport({ scale: 1 });
	const seen = (/** @type {number} */ right, /** @type {number} */ above) => {
		const [left, top] = viewport.convertToViewportPoint(
			x + across * right - up * above,
			y + up * right + across * above,
		);
		return { x: left, y: top };
	};
	const [left, top] = [seen(0, 0), seen(0, height)];
	return { text, left, right: seen(width, 0), up: { x: top.x - left.x, y: top.y - left.y } };
}

/**
 * How pdf.js gets what a file does not bring along: from vendor/, or not at all. It never asks a server.
 * @param {(message: string) => void} onGap
 */
function loadingFrom(onGap) {
	class Missing {
		async fetch() {
			onGap(
				'Some text of this file cannot be shown here. Its place is kept, so fields land where you draw them.',
			);
			throw new Error('not part of this page');
		}
	}
	class Decoders {
		/** @param {{ filename: string }} request */
		async fetch({ filename }) {
			if (filename !== 'openjpeg.wasm') throw new Error('not part of this page');
			return Uint8Array.from(atob(OPENJPEG), (character) => character.charCodeAt(0));
		}
	}
	return {
		CMapReaderFactory: Missing,
		StandardFontDataFactory: Missing,
		WasmFactory: Decoders,
		useWorkerFetch: false,
		isEvalSupported: false,
		maxImageSize: LARGEST_PICTURE,
		verbosity: 0,
	};
}

/** @type {string | undefined} */
let workerAddress;

/** A worker from the text of its script: files beside this page cannot be loaded from disk. */
function startWorker() {
	workerAddress ??= URL.createObjectURL(
		new Blob([`(${startPdfWorker})()`], { type: 'text/javascript' }),
	);
	workerPolicy ??= window.trustedTypes?.createPolicy('pdf-worker', {
		createScriptURL: (url) => url,
	});
	try {
		return new Worker(workerPolicy?.createScriptURL(workerAddress) ?? workerAddress);
	} catch {
		// Without workers pdf.js works in the page itself, once its script has run there.
		startPdfWorker();
		return undefined;
	}
}

/** @type {ReturnType<NonNullable<Window['trustedTypes']>['createPolicy']> | undefined} */
let workerPolicy;

/** @param {unknown} error */
function reasonOf(error) {
	const name = error instanceof Error ? error.name : '';
	if (name === 'PasswordException')
		return 'The file is protected by a password. The service does not take such files.';
	if (name === 'InvalidPDFException') return 'This is not a PDF, or it is damaged.';
	return 'The file cannot be read as a PDF.';
}
