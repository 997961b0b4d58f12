import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest, Endpoint } from '../../../nodes/ESign/client';
import type { Sandbox } from '../../../sandbox';

/** The service as a plain client sees it: what the client did is read back without the client. */
export class Direct {
	constructor(private readonly sandbox: Sandbox) {}

	async call(method: string, path: string, body?: object): Promise<Record<string, never>> {
		const response = await fetch(`${this.sandbox.url}${path}`, {
			method,
			headers: {
				authorization: `Bearer ${this.sandbox.keys.test}`,
				...(body && { 'content-type': 'application/json' }),
			},
			body: body && JSON.stringify(body),
		});
		const answer = (await response.json()) as Record<string, never>;
		if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
		return answer;
	}

	async list(path: string): Promise<Entry[]> {
		return (await this.call('GET', path)).data ?? [];
	}

	async upload(): Promise<string> {
		const form = new FormData();
		form.append('file', new Blob([PNG], { type: 'image/png' }), 'dot.png');
		const headers = { authorization: `Bearer ${this.sandbox.keys.test}` };
		const response = await fetch(`${this.sandbox.url}/files`, { method: 'POST', headers, body: form });
		const answer = (await response.json()) as { id?: string };
		if (answer.id === undefined) throw new Error(`POST /files: ${JSON.stringify(answer)}`);
		return answer.id;
	}

	async draft(): Promise<Made> {
		const document = await this.call('POST', '/documents', {
			files: [await this.upload()],
			recipients: PEOPLE,
			title: 'Prepared',
		});
		return document as unknown as Made;
	}

	async sent(): Promise<Made> {
		const document = await this.call('POST', `/templates/${await this.template('Mutual NDA')}/send`, {
			recipients: ROLES,
			title: 'Prepared',
		});
		return document as unknown as Made;
	}

	async template(name: string): Promise<string> {
		const found = (await this.list('/templates?limit=100')).find((template) => template.name === name);
		if (!found) throw new Error(`No template ${name}`);
		return found.id;
	}

	async linkBody(label: string): Promise<{ template: string; body: IDataObject }> {
		const template = await this.template('Mutual NDA');
		const { roles } = (await this.call('GET', `/templates/${template}`)) as unknown as { roles: Array<{ id: string }> };
		const signers = roles.map(({ id }, index) =>
			index === 0
				? { placeholder_id: id, is_open: true }
				: { placeholder_id: id, is_open: false, name: 'Ben', email: 'ben@example.com' },
		);
		return { template, body: { signers, label, max_uses: 5, expires_at: '2030-01-01T00:00:00Z' } };
	}

	async link(): Promise<{ id: string; template: string }> {
		const { template, body } = await this.linkBody('Prepared');
		const { id } = (await this.call('POST', `/templates/${template}/links`, body)) as unknown as { id: string };
		return { id, template };
	}

	async webhook(url = 'https://127.0.0.1:9/prepared'): Promise<string> {
		const { id } = (await this.call('POST', '/webhooks', { url, events: ['document.sent'] })) as unknown as {
			id: string;
		};
		return id;
	}
}

export type Entry = Record<string, unknown> & { id: string; name?: string; title?: string };

export type Made = { id: string; status: string; recipients: Array<{ id: string }> };

/** The smallest PNG: one transparent pixel. */
export const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
	'base64',
);

export const PEOPLE = [
	{ name: 'Ada', email: 'ada@example.com', pin: '7788' },
	{ name: 'Ben', email: 'ben@example.com', type: 'cc' },
];

export const ROLES = [
	{ role: 'Client', name: 'Ada', email: 'ada@example.com' },
	{ role: 'company', name: 'Ben', email: 'Ben@example.com' },
];

export interface Prepared {
	request: ApiRequest;
	/** The effect at the service, read back plainly; the same after one success, however it came about. */
	effect: () => Promise<unknown>;
}

/** What each endpoint is called with, and how its effect is seen. Reads have none. */
export const SCENARIOS: Record<Endpoint, (direct: Direct, sandbox: Sandbox) => Promise<Prepared>> = {
	'GET /account': async () => read({}),
	'GET /templates': async () => read({ query: { limit: 100 } }),
	'GET /templates/{id}': async (direct) => read({ path: { id: await direct.template('Mutual NDA') } }),
	'POST /templates/{id}/send': async (direct) => {
		const path = { id: await direct.template('Mutual NDA') };
		const body = { recipients: ROLES, embed: { expires_in: 600 } };
		return { request: { path, body }, effect: async () => titlesAndStates(await direct.list('/documents')) };
	},
	'POST /files': async () => read({}),
	'GET /documents': async (direct) => {
		await direct.draft();
		return read({ query: { limit: 100 } });
	},
	'POST /documents': async (direct) => {
		const body = { files: [await direct.upload()], recipients: PEOPLE };
		return { request: { body }, effect: async () => titlesAndStates(await direct.list('/documents')) };
	},
	'GET /documents/{id}': async (direct) => read({ path: { id: (await direct.draft()).id } }),
	'POST /documents/{id}/send': async (direct) => {
		const { id, recipients } = await direct.draft();
		const box = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.1, type: 'SIGNATURE' };
		await direct.call('PUT', `/documents/${id}/fields`, { fields: [{ ...box, recipientId: recipients[0]?.id }] });
		return { request: { path: { id } }, effect: async () => titlesAndStates(await direct.list('/documents')) };
	},
	'POST /documents/{id}/cancel': async (direct) => {
		const { id } = await direct.sent();
		return { request: { path: { id } }, effect: async () => titlesAndStates(await direct.list('/documents')) };
	},
	'POST /documents/{id}/remind': async (direct) => read({ path: { id: (await direct.sent()).id } }),
	'PUT /documents/{id}/recipients': async (direct) => {
		const { id } = await direct.draft();
		const body = { recipients: [{ name: 'Cem', email: 'cem@example.com' }] };
		const effect = async () => {
			const { recipients } = (await direct.call('GET', `/documents/${id}`)) as unknown as { recipients: Entry[] };
			return recipients.map(({ name, email }) => [name, email]);
		};
		return { request: { path: { id }, body }, effect };
	},
	'PUT /documents/{id}/fields': async (direct) => {
		const { id, recipients } = await direct.draft();
		const box = { pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.2, heightNorm: 0.1, type: 'SIGNATURE' };
		return read({ path: { id }, body: { fields: [{ ...box, recipientId: recipients[0]?.id }] } });
	},
	'GET /documents/{id}/files/{variant}': async (direct) =>
		read({ path: { id: (await direct.draft()).id, variant: 'original' } }),
	'POST /documents/{id}/recipients/{recipientId}/embed-link': async (direct) => {
		const { id, recipients } = await direct.sent();
		return read({ path: { id, recipientId: recipients[0]?.id ?? '' }, body: { expires_in: 60 } });
	},
	'POST /templates/{id}/links': async (direct) => {
		const { template, body } = await direct.linkBody('Matrix');
		return {
			request: { path: { id: template }, body },
			effect: async () =>
				(await direct.list(`/templates/${template}/links`)).map(({ label, max_uses: uses }) => [label, uses]),
		};
	},
	'GET /templates/{id}/links': async (direct) => read({ path: { id: (await direct.link()).template } }),
	'GET /template-links/{linkId}': async (direct) => read({ path: { linkId: (await direct.link()).id } }),
	'POST /template-links/{linkId}/rotate': async (direct) => {
		const { id, template } = await direct.link();
		return {
			request: { path: { linkId: id } },
			effect: async () => (await direct.list(`/templates/${template}/links`)).length,
		};
	},
	'DELETE /template-links/{linkId}': async (direct) => {
		const { id, template } = await direct.link();
		return { request: { path: { linkId: id } }, effect: async () => await direct.list(`/templates/${template}/links`) };
	},
	'POST /webhooks': async (direct) => {
		const body = { url: 'https://127.0.0.1:9/matrix', events: ['document.sent', 'document.completed'] };
		return {
			request: { body },
			effect: async () => (await direct.list('/webhooks')).map(({ url, status }) => [url, status]),
		};
	},
	'GET /webhooks': async (direct) => {
		await direct.webhook();
		return read({});
	},
	'DELETE /webhooks/{id}': async (direct) => {
		const id = await direct.webhook();
		return { request: { path: { id } }, effect: async () => await direct.list('/webhooks') };
	},
	'GET /webhooks/{id}/deliveries': async (direct) => read({ path: { id: await direct.webhook() } }),
	'POST /webhooks/{id}/deliveries/{deliveryId}/replay': async (direct, sandbox) => {
		const id = await direct.webhook();
		await direct.sent();
		await sandbox.control.advance(30);
		const [delivery] = await direct.list(`/webhooks/${id}/deliveries`);
		return read({ path: { id, deliveryId: delivery?.id ?? '' } });
	},
};

function read(request: ApiRequest): Prepared {
	return { request, effect: async () => undefined };
}

function titlesAndStates(documents: Entry[]): unknown[] {
	return documents.map(({ title, status }) => [title, status]);
}
