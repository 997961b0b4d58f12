/** Draws the pages of the document into their sheets, each when it is about to be seen. */
import { getDocument, GlobalWorkerOptions } from '/assets/pdfjs/build/pdf.min.mjs';

GlobalWorkerOptions.workerSrc = '/assets/pdfjs/build/pdf.worker.min.mjs';

const sheets = [...document.querySelectorAll('canvas[data-page]')];
const source = document.querySelector('[data-pdf]')?.dataset.pdf;
if (source) {
	const loading = getDocument({
		url: source,
		standardFontDataUrl: '/assets/pdfjs/standard_fonts/',
		cMapUrl: '/assets/pdfjs/cmaps/',
		wasmUrl: '/assets/pdfjs/wasm/',
		isEvalSupported: false,
	}).promise;
	const watcher = new IntersectionObserver(
		(entries) => {
			for (const { isIntersecting, target } of entries) {
				if (!isIntersecting) continue;
				watcher.unobserve(target);
				draw(target, loading).catch(() => target.setAttribute('data-failed', ''));
			}
		},
		{ rootMargin: '600px' },
	);
	for (const sheet of sheets) watcher.observe(sheet);
}

async function draw(canvas, loading) {
	const page = await (await loading).getPage(Number(canvas.dataset.page));
	const unscaled = page.getViewport({ scale: 1 });
	const sharpness = Math.min(3, Math.max(1.5, window.devicePixelRatio));
	const viewport = page.getViewport({ scale: (canvas.clientWidth / unscaled.width) * sharpness });
	canvas.width = Math.round(viewport.width);
	canvas.height = Math.round(viewport.height);
	await page.render({ canvas, viewport }).promise;
	canvas.setAttribute('data-drawn', '');
}
