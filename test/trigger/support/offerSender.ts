import { ServiceClient, type Document, type Recipient } from '../../../harness/serviceClient';
import type { Template, TemplateDetail } from '../../../nodes/ESign/client';
import type { Sandbox } from '../../../sandbox';

/** Somebody who sends offers from the seed's template and waits until their events were delivered. */
export class OfferSender extends ServiceClient {
	constructor(
		private readonly sandbox: Sandbox,
		key: string,
	) {
		super(sandbox.url, key);
	}

	/** Sends a document from the template with one signer, and waits for its deliveries. */
	override async send(): Promise<Document> {
		const { data } = await this.api<{ data: Template[] }>('GET', '/templates');
		const template = data.find(({ roles }) => roles.filter(({ type }) => type === 'SIGNER').length === 1);
		if (!template) throw new Error('The seed has no template with one signer');
		const { roles } = await this.api<TemplateDetail>('GET', `/templates/${template.id}`);
		const recipients = roles.map(({ role }, n) => ({ role, name: `Person ${n}`, email: `person${n}@example.com` }));
		const document = await this.api<Document>('POST', `/templates/${template.id}/send`, { recipients });
		await this.sandbox.control.advance(0);
		return document;
	}

	/** Sends a document and has its signer sign it. */
	override async complete(): Promise<Document> {
		const document = await this.send();
		for (const { id, role } of document.recipients as Recipient[]) {
			if (role === 'Candidate') await this.sandbox.control.sign(id);
		}
		await this.sandbox.control.advance(0);
		return document;
	}
}
