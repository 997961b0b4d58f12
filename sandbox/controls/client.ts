import axios, { isAxiosError } from 'axios';
import type { LoggedRequest } from '../http/requestLog';
import type { VisitorInput } from '../schemas/templateRequests';
import type {
	FaultBody,
	KeyBody,
	PersonBody,
	SignBody,
	TemplateBody,
	WorkspaceBody,
} from './controlBodies';

/**
 * Calls the controls of a running sandbox over HTTP. A refusal rejects with the envelope's code and
 * message.
 */
export class Control {
	constructor(private readonly origin: string) {}

	/** Back to the seed; the keys of the ready line stay what they are. */
	async reset(): Promise<void> {
		await this.call('POST', '/reset');
	}

	/** Every API request since the reset, oldest first, the last 10,000. */
	requests(): Promise<LoggedRequest[]> {
		return this.call('GET', '/requests');
	}

	createKey(body: KeyBody): Promise<{ key: string }> {
		return this.call('POST', '/keys', body);
	}

	async revokeKey(key: string): Promise<void> {
		await this.call('DELETE', `/keys/${encodeURIComponent(key)}`);
	}

	/** Changes what is named and answers the whole. */
	workspace(patch: WorkspaceBody): Promise<Required<WorkspaceBody>> {
		return this.call('PATCH', '/workspace', patch);
	}

	createTemplate(body: TemplateBody): Promise<{ id: string }> {
		return this.call('POST', '/templates', body);
	}

	async view(recipientId: string): Promise<void> {
		await this.call('POST', `/recipients/${encodeURIComponent(recipientId)}/view`);
	}

	/** Signs, by field key; required fields without a value get a plausible one. */
	async sign(recipientId: string, body: SignBody = {}): Promise<void> {
		await this.call('POST', `/recipients/${encodeURIComponent(recipientId)}/sign`, body);
	}

	async decline(recipientId: string): Promise<void> {
		await this.call('POST', `/recipients/${encodeURIComponent(recipientId)}/decline`);
	}

	/** Hands the turn on; answers the id of the recipient who takes over. */
	reassign(recipientId: string, to: PersonBody): Promise<{ recipient_id: string }> {
		return this.call('POST', `/recipients/${encodeURIComponent(recipientId)}/reassign`, to);
	}

	startLink(slug: string, visitor: VisitorInput): Promise<{ document_id: string }> {
		return this.call('POST', `/links/${encodeURIComponent(slug)}/start`, visitor);
	}

	async expire(documentId: string): Promise<void> {
		await this.call('POST', `/documents/${encodeURIComponent(documentId)}/expire`);
	}

	/**
	 * Moves the clock on. Resolves once what fell due has happened, deliveries included; 0 waits for
	 * those under way.
	 */
	async advance(seconds: number): Promise<void> {
		await this.call('POST', '/clock/advance', { seconds });
	}

	async fault(fault: FaultBody): Promise<void> {
		await this.call('POST', '/faults', fault);
	}

	async clearFaults(): Promise<void> {
		await this.call('DELETE', '/faults');
	}

	private async call<T>(method: string, path: string, body: object = {}): Promise<T> {
		const data = method === 'GET' ? undefined : body;
		try {
			const response = await axios.request<T>({
				method,
				url: `${this.origin}/_sandbox${path}`,
				data,
				proxy: false,
			});
			return response.data;
		} catch (error) {
			if (!isAxiosError(error) || !error.response) throw error;
			const answer = error.response.data as {
				error?: { code: string; message: string; details?: unknown };
			};
			const reason = answer.error ? `${answer.error.code}: ${answer.error.message}` : error.message;
			const details = answer.error?.details ? ` ${JSON.stringify(answer.error.details)}` : '';
			throw new Error(
				`${method} ${path} was refused with ${error.response.status}, ${reason}${details}`,
			);
		}
	}
}
