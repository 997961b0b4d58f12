import type { TemplateView } from '../../acts/service';
import { html, type Html } from '../html';
import { copyable, modeBadge, statusBadge } from './badges';

/** A template with what one has to know to send it: its ID, its roles and its fields. */
export function templateCard(template: TemplateView): Html {
	const { id, name, description, mode, status, roles, fields } = template;
	return html`<article class="card" aria-labelledby="title-${id}">
		<header>
			<h3 id="title-${id}">${name}</h3>
			${modeBadge(mode)} ${statusBadge(status)}
		</header>
		<p class="meta">${copyable(id)} ${description && html`· ${description}`}</p>
		<p>
			${roles.map(({ role, type }) => html`<span class="tag">${role}${type === 'CC' && ', cc'}</span> `)}
		</p>
		<footer>
			<a href="/dashboard/templates/${id}/pages.pdf"
				>Open its pages <span class="hidden">${name}</span></a
			>
		</footer>
		<details>
			<summary>Fields <span class="count">${fields.length}</span></summary>
			<ul class="trail">
				${fields.map(fieldRow)}
			</ul>
		</details>
	</article>`;
}

function fieldRow({ key, type, role, required, options }: TemplateView['fields'][number]): Html {
	const words = [type.toLowerCase().replace('_', ' '), role, !required && 'optional'];
	return html`<li>
		${key ? html`<code>${key}</code>` : 'No key'}: ${words.filter(Boolean).join(', ')}
		${options.length > 0 && html`(${options.join(' / ')})`}
	</li>`;
}
