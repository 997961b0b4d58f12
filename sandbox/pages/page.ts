import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { html, type Content, type Html } from './html';
import { STYLES } from './serveAssets';

export interface HtmlPage {
	title: string;
	body: Content;
	/**
	 * Style rules of this page alone: places of fields on their pages. Numbers of this code only,
	 * never a text.
	 */
	style?: string;
	status?: number;
	/** Its script: one shows the pages of a PDF, the other copies IDs. Without it all else works. */
	script?: 'viewer.mjs' | 'copy.mjs';
	/** Who may show this page in a frame; nobody unless named. */
	frameAncestors?: readonly string[];
	/** Where a form of this page may lead in the end, beside the sandbox itself. */
	formTarget?: string | null;
}

/**
 * Sends a page under a policy that loads and runs nothing but the sandbox's own files.
 */
export function sendPage(reply: FastifyReply, page: HtmlPage): FastifyReply {
	const nonce = randomBytes(16).toString('base64');
	return reply
		.code(page.status ?? 200)
		.type('text/html; charset=utf-8')
		.header('content-security-policy', policy(page, nonce))
		.header('referrer-policy', 'same-origin')
		.header('x-content-type-options', 'nosniff')
		.header('cache-control', 'no-store')
		.send(shell(page, nonce).text);
}

const SCRIPT_POLICIES = {
	'viewer.mjs': "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'",
	'copy.mjs': "script-src 'self'",
	none: "script-src 'none'",
};

function policy({ script, frameAncestors = [], formTarget }: HtmlPage, nonce: string): string {
	const ancestors = frameAncestors.map(originOf).filter((origin) => origin !== null);
	// A redirect after a form was sent counts as its target too.
	const target = formTarget ? originOf(formTarget) : null;
	return [
		"default-src 'none'",
		`style-src 'self' 'nonce-${nonce}'`,
		"font-src 'self'",
		"img-src 'self' data:",
		SCRIPT_POLICIES[script ?? 'none'],
		`form-action 'self'${target ? ` ${target}` : ''}`,
		`frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
		"base-uri 'none'",
	].join('; ');
}

function originOf(url: string): string | null {
	return URL.canParse(url) ? new URL(url).origin : null;
}

function shell({ title, body, style, script }: HtmlPage, nonce: string): Html {
	return html`<!doctype html>
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<title>${title} - eSign sandbox</title>
				<link rel="icon" href="data:," />
				<meta name="color-scheme" content="light dark" />
				${STYLES.map((name) => html`<link rel="stylesheet" href="/assets/${name}" />`)}
				${
					style
						? html`<style nonce="${nonce}">
								${style}
							</style>`
						: null
				}
				${script && html`<script type="module" src="/assets/${script}"></script>`}
			</head>
			<body>
				${body}
			</body>
		</html>`;
}

/** A page that says one thing: a link that does not work any more, a turn that has not come. */
export function messagePage(title: string, text: Content, more: Partial<HtmlPage> = {}): HtmlPage {
	return {
		title,
		body: html`<main class="message" id="main">
			<p class="brand">eSign <span>sandbox</span></p>
			<h1>${title}</h1>
			<div>${text}</div>
		</main>`,
		...more,
	};
}
