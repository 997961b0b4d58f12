import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LinkView, SandboxService } from '../acts/service';
import { ApiError } from '../http/errors';
import { formTexts } from './form';
import { html } from './html';
import { messagePage, sendPage, type HtmlPage } from './page';

type LinkRequest = FastifyRequest<{ Params: { slug: string } }>;

/** What a visitor reads when a link may not be started, by the code of the refusal. */
const REFUSALS: Record<string, [title: string, text: string]> = {
	link_expired: [
		'This link has expired',
		'It could be used for a limited time only. Ask whoever sent it for a new one.',
	],
	link_used_up: [
		'This link is used up',
		'It has been used as often as it may be. Ask whoever sent it for a new one.',
	],
	org_suspended: ['Not available', 'The workspace behind this link is suspended.'],
	template_not_published: [
		'Not available',
		'The document behind this link is not published any more.',
	],
};

/**
 * `/t/<slug>`, and `/embed/t/<slug>` inside other applications: where a visitor starts a document
 * of their own.
 */
export function servePublicLinks(app: FastifyInstance, service: SandboxService): void {
	for (const prefix of ['/t', '/embed/t']) {
		const send = (reply: FastifyReply, page: HtmlPage) =>
			sendPage(reply, { ...page, frameAncestors: service.workspace().embedOrigins });
		const path = `${prefix}/:slug`;

		app.get(path, (request: LinkRequest, reply) => {
			const link = service.link(request.params.slug);
			if (!link) return send(reply, unknownLink());
			return send(
				reply,
				link.refusal ? refused(link.refusal) : startPage(link, `${prefix}/${link.slug}`),
			);
		});

		app.post(path, async (request: LinkRequest, reply) => {
			const link = service.link(request.params.slug);
			if (!link) return send(reply, unknownLink());
			const texts = formTexts(request);
			const visitor = { name: (texts['name'] ?? '').trim(), email: (texts['email'] ?? '').trim() };
			try {
				const { signingToken } = await service.startLink(link.slug, visitor);
				return reply.redirect(`/sign/${signingToken}?from=${encodeURIComponent(link.slug)}`, 303);
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				if (error.statusCode !== 400) return send(reply, refused(error.code, error.statusCode));
				return send(
					reply,
					startPage(link, `${prefix}/${link.slug}`, { ...visitor, refusal: error }),
				);
			}
		});
	}
}

/** What a visitor entered, and what the service said to it. */
interface Entered {
	name: string;
	email: string;
	refusal: ApiError;
}

/** What is wrong with an entry, in words for the person who made it. */
const PROBLEMS = {
	name: 'must have 1 to 120 characters',
	email: 'must be an address such as name@example.com',
};

function startPage(link: LinkView, action: string, entered?: Entered): HtmlPage {
	const details = entered?.refusal.details ?? [];
	const problem = (name: 'name' | 'email') =>
		details.some(({ field }) => field === name) && PROBLEMS[name];
	const input = (name: 'name' | 'email', label: string, type: string) => html`
		<label for="${name}">${label}</label>
		<input
			id="${name}"
			name="${name}"
			type="${type}"
			autocomplete="${name}"
			required
			value="${entered?.[name]}"
			${problem(name) && html`aria-invalid="true" aria-describedby="${name}-problem"`}
		/>
		${problem(name) && html`<p class="problem" id="${name}-problem">${label} ${problem(name)}</p>`}
	`;
	const form = html`${link.message && html`<p class="lead">${link.message}</p>`}
		<p>You will sign <b>${link.templateName}</b> as <b>${link.openRole}</b>.</p>
		${link.mode === 'TEST' && html`<p><span class="badge test">TEST, not binding</span></p>`}
		${entered && details.length === 0 && html`<p class="alert" role="alert">${entered.refusal.message}</p>`}
		<form class="card" method="post" action="${action}">
			${input('name', 'Your name', 'text')} ${input('email', 'Your e-mail address', 'email')}
			<button class="primary" type="submit">Start</button>
		</form>`;
	return messagePage(link.headline ?? link.templateName, form, { status: entered ? 400 : 200 });
}

function refused(code: string, status = 410): HtmlPage {
	const [title, text] = REFUSALS[code] ?? [
		'Not available',
		'This link cannot be used at the moment.',
	];
	return messagePage(title, text, { status });
}

function unknownLink(): HtmlPage {
	const text = 'It may have been copied incompletely, withdrawn, or replaced by a newer one.';
	return messagePage('This link does not work', text, { status: 404 });
}
