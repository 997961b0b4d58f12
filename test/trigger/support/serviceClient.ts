import type { Sandbox } from '../../../sandbox';
import type {
	Document,
	Template,
	TemplateDetail,
	WebhookDelivery,
	WebhookEndpoint,
} from '../../../nodes/ESign/transport';

/** The service as somebody else would use it: the person who sends and signs, and the one who looks after webhooks. */
export class ServiceClient {
	constructor(
		private readonly sandbox: Sandbox,
		readonly key: string,
	) {}

	async endpoints(): Promise<WebhookEndpoint[]> {
		return (await this.call<{ data: WebhookEndpoint[] }>('GET', '/webhooks')).data;
	}

	async addEndpoint(url: string, events = ['document.sent']): Promise<WebhookEndpoint> {
		return await this.call('POST', '/webhooks', { url, events });
	}

	async deleteEndpoint(id: string): Promise<void> {
		await this.call('DELETE', `/webhooks/${id}`);
	}

	/** The newest attempts of an endpoint. */
	async deliveries(id: string): Promise<WebhookDelivery[]> {
		return (await this.call<{ data: WebhookDelivery[] }>('GET', `/webhooks/${id}/deliveries?limit=100`)).data;
	}

	/** Sends a document from the template with one signer, and waits for its deliveries. */
	async send(): Promise<Document> {
		const { data } = await this.call<{ data: Template[] }>('GET', '/templates');
		const template = data.find(({ roles }) => roles.filter(({ type }) => type === 'SIGNER').length === 1);
		if (!template) throw new Error('The seed has no template with one signer');
		const { roles } = await this.call<TemplateDetail>('GET', `/templates/${template.id}`);
		const recipients = roles.map(({ role }, n) => ({ role, name: `Person ${n}`, email: `person${n}@example.com` }));
		const document = await this.call<Document>('POST', `/templates/${template.id}/send`, { recipients });
		await this.sandbox.control.advance(0);
		return document;
	}

	/** Sends a document and has its signer sign it. */
	async complete(): Promise<Document> {
		const document = await this.send();
		for (const { id, role } of document.recipients) {
			if (role === 'Candidate') await this.sandbox.control.sign(id);
		}
		await this.sandbox.control.advance(0);
		return document;
	}

	private async call<T>(method: string, path: string, body?: object): Promise<T> {
		const response = await fetch(`${this.sandbox.url}${path}`, {
			method,
			headers: { authorization: `Bearer ${this.key}`, ...(body && { 'content-type': 'application/json' }) },
			body: body && JSON.stringify(body),
		});
		const answer = (await response.json()) as T;
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
		return answer;
	}
}
