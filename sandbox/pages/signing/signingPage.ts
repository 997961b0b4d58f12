import type { FieldView, SigningView } from '../../acts/service';
import { fieldInput } from './fieldInput';
import { html, type Html } from '../html';
import type { HtmlPage } from '../page';

export interface SigningPageInput {
	signing: SigningView;
	/** Sizes of the document's pages; null when it has no source that could be shown. */
	sizes: Array<{ width: number; height: number }> | null;
	/** Addresses of this page's own acts, all of them with the proof of the pin. */
	paths: { sign: string; decline: string; pdf: string };
	/**
	 * What was entered when the service refused it, by field id, and what it said, by field id; ''
	 * for the whole form.
	 */
	refused: { entered: Record<string, string>; problems: Record<string, string> } | null;
}

interface NumberedField {
	field: FieldView;
	at: number;
}

/**
 * The page on which a person reads the document, fills their fields in place, and signs or
 * declines.
 */
export function signingPage(
	input: SigningPageInput,
): Pick<HtmlPage, 'title' | 'body' | 'style' | 'script'> {
	const { signing, sizes, paths, refused } = input;
	const { document, recipient } = signing;
	const fields = ownFirst(signing.fields).map((field, index) => ({ field, at: index + 1 }));
	const own = fields.filter(({ field }) => field.editable);
	const problemCount = Object.keys(refused?.problems ?? {}).length;
	const pages = sizes ?? [];

	return {
		title: `Sign ${document.title}`,
		...(sizes !== null && { script: 'viewer.mjs' }),
		style: html`${pages.map((size, index) => sheetStyle(size, index + 1))}
		${fields.map(({ field, at }) => placeStyle(field, at))}`.text,
		body: html`<a class="skip" href="#finish">Skip the document</a>
			<header class="bar">
				<p class="brand">eSign <span>sandbox</span></p>
				<div class="about">
					<h1>${document.title}</h1>
					<p>
						For <b>${recipient.name}</b>${recipient.role && html`, ${recipient.role}`}.
						${own.length === 1 ? '1 field' : `${own.length} fields`} to check on
						${document.pageCount} ${document.pageCount === 1 ? 'page' : 'pages'}.
						<a href="${own.length > 0 ? '#input-1' : '#finish'}"
							>${own.length > 0 ? 'Go to the first field' : 'Go to Sign'}</a
						>
					</p>
				</div>
				${document.mode === 'TEST' && html`<span class="badge test">TEST, not binding</span>`}
			</header>
			<main id="main" class="signing">
				${
					problemCount > 0 &&
					html`<div class="alert" role="alert">
						<p>
							${refused?.problems[''] ?? 'Not signed yet: something is missing or does not fit.'}
						</p>
						<ul>
							${fields
								.filter(({ field }) => refused?.problems[field.id])
								.map(
									({ field, at }) =>
										html`<li><a href="#input-${at}">${refused?.problems[field.id]}</a></li>`,
								)}
						</ul>
					</div>`
				}
				<form id="sign" method="post" action="${paths.sign}" data-pdf="${paths.pdf}">
					${
						sizes
							? pages.map((_, index) => sheet(input, fields, index + 1, pages.length))
							: html`<p class="alert">This document has no pages that could be shown.</p>
									<div class="fields">${own.map((numbered) => inputOf(input, numbered))}</div>`
					}
					<noscript>
						<p class="alert">
							The pages are drawn by a script.
							<a href="${paths.pdf}">Open the document as a PDF</a>.
						</p>
					</noscript>
					<section class="finish" id="finish" aria-labelledby="finish-title">
						<h2 id="finish-title">Finish</h2>
						<p>
							By signing, ${recipient.name} (${recipient.email}) agrees to the document above.
							<a href="${paths.pdf}" target="_blank" rel="noopener">Open it as a PDF</a>.
						</p>
						<button class="primary" type="submit">Sign</button>
					</section>
				</form>
				<details class="decline">
					<summary>Decline instead</summary>
					<form method="post" action="${paths.decline}">
						<p>Declining ends this document for everyone. It cannot be undone.</p>
						<button class="danger" type="submit">Decline to sign</button>
					</form>
				</details>
			</main>`,
	};
}

function sheet(
	input: SigningPageInput,
	fields: NumberedField[],
	page: number,
	count: number,
): Html {
	const here = fields.filter(({ field }) => field.page === page);
	const fixed = here.filter(
		({ field }) => !field.editable && field.value !== null && field.value !== '',
	);
	const own = here.filter(({ field }) => field.editable);
	return html`<section class="page" aria-label="Page ${page} of ${count}">
		<div class="sheet sheet-${page}">
			<canvas
				data-page="${page}"
				role="img"
				aria-label="Page ${page} of ${input.signing.document.title}"
			></canvas>
			${fixed.map(({ field, at }) => html`<span class="fixed at-${at}">${fixedValue(field)}</span>`)}
			${own.map(({ at }) => html`<a class="marker at-${at}" href="#input-${at}" tabindex="-1" aria-hidden="true">${at}</a>`)}
		</div>
		${own.length > 0 && html`<div class="fields">${own.map((numbered) => inputOf(input, numbered))}</div>`}
	</section>`;
}

function inputOf({ signing, refused }: SigningPageInput, { field, at }: NumberedField): Html {
	const problem = refused?.problems[field.id] ?? null;
	const crowded = isCrowded(field, signing.fields);
	return fieldInput(field, at, crowded, signing.recipient, refused?.entered ?? null, problem);
}

function fixedValue({ type, value }: FieldView): string | null {
	if (type !== 'CHECKBOX') return value;
	return value === 'true' ? '\u2713' : '';
}

/** The person's own fields in reading order, so that they count from 1; then everybody else's. */
function ownFirst(fields: FieldView[]): FieldView[] {
	return [...fields].sort(
		(a, b) =>
			Number(b.editable) - Number(a.editable) ||
			a.page - b.page ||
			a.yNorm - b.yNorm ||
			a.xNorm - b.xNorm,
	);
}

/** Height that a label takes above its field, as a part of an upright page. */
const LABEL_HEIGHT = 0.017;

function isCrowded(field: FieldView, fields: FieldView[]): boolean {
	return fields.some((other) => {
		const gap = field.yNorm - (other.yNorm + other.heightNorm);
		const beside =
			other.xNorm >= field.xNorm + field.widthNorm || other.xNorm + other.widthNorm <= field.xNorm;
		return (
			other !== field &&
			other.page === field.page &&
			!beside &&
			gap > -other.heightNorm &&
			gap < LABEL_HEIGHT
		);
	});
}

function sheetStyle({ width, height }: { width: number; height: number }, page: number): Html {
	return html`.sheet-${page}{aspect-ratio:${width.toFixed(2)}/${height.toFixed(2)}}`;
}

/**
 * Fields stand in the sheet's section, which has the size of the sheet alone where fields are laid
 * over it.
 */
function placeStyle({ xNorm, yNorm, widthNorm, heightNorm }: FieldView, at: number): Html {
	const [left, top, width, height] = [xNorm, yNorm, widthNorm, heightNorm].map((part) =>
		(part * 100).toFixed(3),
	);
	return html`.at-${at}{--left:${left}%;--top:${top}%;--width:${width}%;--height:${height}%}`;
}
