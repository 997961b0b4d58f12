import type {
	DeliveryView,
	DocumentView,
	EndpointView,
	RecipientView,
	SandboxService,
} from '../../acts/service';
import { html, type Content, type Html } from '../html';
import type { HtmlPage } from '../page';
import { copyable, modeBadge, statusBadge } from './badges';
import { templateCard } from './templateCard';

const RECENT_DELIVERIES = 20;

/**
 * The whole state of the sandbox on one page, both modes together. `notice` says what the last act
 * came to.
 */
export function dashboardPage(service: SandboxService, notice: string | null): HtmlPage {
	const documents = service.documents();
	const endpoints = service.endpoints();
	const templates = service.templates();
	return {
		title: 'Dashboard',
		script: 'copy.mjs',
		body: html`<a class="skip" href="#main">Skip to the documents</a>
			<header class="bar">
				<p class="brand">eSign <span>sandbox</span></p>
				<div class="about">
					<h1>Dashboard</h1>
					<p>A copy of the service on this machine. Nothing here is sent, billed or binding.</p>
				</div>
				<a class="button" href="/">Refresh</a>
			</header>
			<main id="main" class="dashboard">
				${notice && html`<p class="notice" role="status">${notice}</p>`}
				<section class="facts" aria-label="Workspace">${workspaceFacts(service)}</section>
				<section aria-labelledby="documents">
					<h2 id="documents">Documents <span class="count">${documents.length}</span></h2>
					${
						documents.length === 0
							? html`<p class="empty">
									No documents yet. Create one through the API and it appears here. There are
									<a href="#templates">templates</a> to send.
								</p>`
							: documents.map((document) => documentCard(document, service))
					}
				</section>
				<section aria-labelledby="endpoints">
					<h2 id="endpoints">Webhook endpoints <span class="count">${endpoints.length}</span></h2>
					${
						endpoints.length === 0
							? html`<p class="empty">
									No endpoints yet. <code>POST /v1/webhooks</code> creates one.
								</p>`
							: endpoints.map((endpoint) =>
									endpointCard(endpoint, service.deliveries(endpoint.id, RECENT_DELIVERIES)),
								)
					}
				</section>
				<section aria-labelledby="templates">
					<h2 id="templates">Templates <span class="count">${templates.length}</span></h2>
					${
						templates.length === 0
							? html`<p class="empty">
									No templates. <code>POST /_sandbox/templates</code> creates one.
								</p>`
							: templates.map(templateCard)
					}
				</section>
			</main>`,
	};
}

function workspaceFacts(service: SandboxService): Html {
	const { name, plan, trialing, suspended, embedOrigins } = service.workspace();
	const usage = service.usage();
	const keys = service.keys();
	const fact = (title: string, value: Content, note: Content) =>
		html`<div class="fact">
			<h2>${title}</h2>
			<p class="value">${value}</p>
			<p>${note}</p>
		</div>`;
	const states = [trialing && 'trial', suspended && 'suspended'].filter(Boolean).join(', ');
	return html`${fact(
			'Documents sent by API',
			html`${usage.used} <small>of ${usage.included ?? 'unlimited'}</small>`,
			html`${usage.billable} billable, ${dollars(usage.overageCents)}; until
			${day(usage.periodEnd)}. Test documents do not count.`,
		)}
		${fact('Workspace', name, html`Plan ${plan}${states && html` <span class="badge bad">${states}</span>`}`)}
		${fact(
			'Embedding',
			embedOrigins.length === 0
				? 'Off'
				: `${embedOrigins.length} ${embedOrigins.length === 1 ? 'origin' : 'origins'}`,
			embedOrigins.join(', '),
		)}
		<div class="fact keys">
			<h2>Base URL and API keys</h2>
			<p>${copyable(`${service.origin}/v1`)}</p>
			<p><span class="badge test">TEST</span> ${copyable(keys.test)}</p>
			<p><span class="badge live">LIVE</span> ${copyable(keys.live)}</p>
		</div>`;
}

function documentCard(document: DocumentView, service: SandboxService): Html {
	const path = `/dashboard/documents/${document.id}`;
	const file = (variant: string, label: string) =>
		html`<a href="${path}/${variant}.pdf">${label}</a>`;
	const sealed = service.finishedPdf(document.id, 'signed') !== null;
	return html`<article class="card" aria-labelledby="title-${document.id}">
		<header>
			<h3 id="title-${document.id}">${document.title}</h3>
			${modeBadge(document.mode)} ${statusBadge(document.status)}
		</header>
		<p class="meta">
			${copyable(document.id)} · created ${moment(document.createdAt)} · ${document.pageCount}
			${document.pageCount === 1 ? 'page' : 'pages'} · ${document.routing}
			${document.status === 'in_progress' && document.expiresAt && html` · expires ${day(document.expiresAt)}`}
		</p>
		<ul class="people">
			${document.recipients.map((recipient) => recipientRow(document, recipient))}
		</ul>
		<footer>
			${service.sourcePdf(document.id) ? file('original', 'Original') : html`<span>No original</span>`}
			${sealed && [file('signed', 'Signed PDF'), ' ', file('certificate', 'Certificate')]}
			${document.status === 'in_progress' && act(`${path}/expire`, 'Expire now', document.title)}
		</footer>
		<details>
			<summary>History <span class="count">${document.trail.length}</span></summary>
			<ol class="trail">
				${document.trail.map(
					({ at, what, who }) =>
						html`<li><time>${moment(at)}</time> ${what}${who && html` <b>${who}</b>`}</li>`,
				)}
			</ol>
		</details>
	</article>`;
}

function recipientRow(document: DocumentView, recipient: RecipientView): Html {
	const { name, email, type, role, status } = recipient;
	const active =
		document.status === 'in_progress' &&
		type === 'signer' &&
		(status === 'sent' || status === 'viewed');
	return html`<li>
		<span class="person"><b>${name}</b> <span>${email}</span></span>
		<span class="tags">
			${role && html`<span class="tag">${role}</span>`}
			${type === 'cc' && html`<span class="tag">cc</span>`}
			${recipient.hasPin && html`<span class="tag">PIN</span>`} ${statusBadge(status)}
		</span>
		<a class="button ${active && 'primary'}" href="/sign/${recipient.signingToken}"
			>${active ? 'Open as this recipient' : 'View as recipient'}
			<span class="hidden">${name}</span></a
		>
	</li>`;
}

function endpointCard(endpoint: EndpointView, deliveries: DeliveryView[]): Html {
	return html`<article class="card" aria-labelledby="url-${endpoint.id}">
		<header>
			<h3 id="url-${endpoint.id}">${endpoint.url}</h3>
			${modeBadge(endpoint.mode)} ${statusBadge(endpoint.status)}
		</header>
		<p class="meta">${copyable(endpoint.id)} · ${endpoint.events.join(', ')}</p>
		${
			deliveries.length === 0
				? html`<p class="empty">Nothing delivered yet.</p>`
				: html`<ul class="deliveries">
						${deliveries.map((delivery) => deliveryRow(endpoint, delivery))}
					</ul>`
		}
	</article>`;
}

function deliveryRow(endpoint: EndpointView, delivery: DeliveryView): Html {
	const { event, attempt, responseStatus, error, succeeded, createdAt } = delivery;
	const replay = `/dashboard/endpoints/${endpoint.id}/deliveries/${delivery.id}/replay`;
	return html`<li>
		<time>${moment(createdAt)}</time>
		<span class="event">${event}, attempt ${attempt}<br /><code>${delivery.eventId}</code></span>
		<span class="answer">
			<span class="badge ${succeeded ? 'good' : 'bad'}">${responseStatus ?? 'no answer'}</span>
			${error && html`<span class="why">${error}</span>`}
		</span>
		${act(replay, 'Replay', event)}
	</li>`;
}

/** `about` says to whoever hears the page what the button acts on. */
function act(action: string, label: string, about: string): Html {
	return html`<form method="post" action="${action}">
		<button type="submit">${label} <span class="hidden">${about}</span></button>
	</form>`;
}

function moment(date: Date): string {
	return `${date.toISOString().slice(0, 19).replace('T', ' ')}`;
}

function day(date: Date): string {
	return date.toISOString().slice(0, 10);
}

function dollars(cents: number): string {
	return `$${(cents / 100).toFixed(2)}`;
}
