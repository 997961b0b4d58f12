import type { DocumentView, SigningView } from '../../acts/service';
import { html, type Content } from '../html';
import { messagePage, type HtmlPage } from '../page';

/** Asks for the pin before anything of the document is shown; `action` is where the form leads. */
export function pinPage(action: string, wrong: boolean): HtmlPage {
	const form = html`<p>This document is protected. Enter the PIN that the sender gave you.</p>
		<form class="card" method="post" action="${action}">
			<label for="pin">PIN</label>
			<input
				id="pin"
				name="pin"
				type="password"
				autocomplete="one-time-code"
				required
				autofocus
				${wrong && html`aria-invalid="true" aria-describedby="pin-problem"`}
			/>
			${wrong && html`<p class="problem" id="pin-problem" role="alert">That PIN is not right. Please try again.</p>`}
			<button class="primary" type="submit">Open the document</button>
		</form>`;
	return messagePage('Enter your PIN', form, { status: wrong ? 403 : 200 });
}

export function lockedPage(): HtmlPage {
	const text = 'A wrong PIN was entered ten times. Ask the sender to send you the document again.';
	return messagePage('This document is locked', text, { status: 403 });
}

export function unknownLink(): HtmlPage {
	const text = 'It may have been copied incompletely, or replaced by a newer one.';
	return messagePage('This link does not work', text, { status: 404 });
}

export function expiredLink(): HtmlPage {
	const text = 'Go back to the page you came from and open the document again.';
	return messagePage('This link has expired', text, { status: 410 });
}

/** In a window of its own, because nobody may show the dashboard in a frame. */
const DASHBOARD = html`<p><a href="/" target="_blank" rel="noopener">Open the dashboard</a></p>`;

/**
 * What there is to say to someone who cannot sign: not yet, not any more, or never asked to.
 * `signedPdf` is the address of the sealed document, if there is one.
 */
export function standingPage(
	{ document, recipient }: SigningView,
	signedPdf: string | null,
): HtmlPage {
	const say = (title: string, text: Content) =>
		messagePage(
			title,
			html`<p><b>${document.title}</b></p>
				<p>${text}</p>
				${DASHBOARD}`,
		);
	switch (document.status) {
		case 'completed':
			return messagePage(
				'Completed',
				html`<p><b>${document.title}</b></p>
					<p>Everyone has signed.</p>
					${signedPdf && html`<p><a class="button" href="${signedPdf}">Open the document as a PDF</a></p>`}
					${DASHBOARD}`,
			);
		case 'declined':
			return say('Declined', `${whoDeclined(document)} declined to sign. This document has ended.`);
		case 'cancelled':
			return say('Withdrawn', 'The sender has withdrawn this document.');
		case 'expired':
			return say('Expired', 'This document was not signed in time.');
		case 'draft':
			return say('Not sent yet', 'The sender is still preparing this document.');
		default:
			break;
	}
	if (recipient.status === 'signed') {
		return say(
			'You have signed',
			`Thank you, ${recipient.name}. The others still have to sign; there is nothing left to do for you.`,
		);
	}
	if (recipient.status === 'reassigned')
		return say('Forwarded', 'Someone else signs this document in your place.');
	if (recipient.type === 'cc')
		return say('Nothing to sign', 'You receive the finished document once everyone has signed.');
	return say(
		'Not your turn yet',
		'Others sign before you. This link works as soon as it is your turn.',
	);
}

/** A document ends when somebody declines: nothing is added to its history after that. */
function whoDeclined({ recipients, trail }: DocumentView): string {
	const email = trail.at(-1)?.who;
	return recipients.find((recipient) => recipient.email === email)?.name ?? 'Someone';
}
