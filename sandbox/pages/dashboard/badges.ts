import { html, type Html } from '../html';

const TONES: Record<string, string> = {
	completed: 'good',
	signed: 'good',
	ACTIVE: 'good',
	PUBLISHED: 'good',
	in_progress: 'open',
	sent: 'open',
	viewed: 'open',
	declined: 'bad',
	expired: 'bad',
	DISABLED: 'bad',
};

export function statusBadge(status: string): Html {
	return html`<span class="badge ${TONES[status] ?? 'quiet'}">${status.replace('_', ' ')}</span>`;
}

export function modeBadge(mode: string): Html {
	return html`<span class="badge ${mode === 'TEST' ? 'test' : 'live'}">${mode}</span>`;
}

/** An ID, a key or an address that people copy: assets/copy.mjs puts a button behind it. */
export function copyable(text: string): Html {
	return html`<code data-copy>${text}</code>`;
}
