import type { Control } from '../../../sandbox/controls/client';
import type { N8nServer } from '../../support/n8nServer/server';

/** A time when n8n was not there. */
export interface Absence {
	how: 'stop' | 'kill';
	from: number;
	until: number;
}

/** Who runs this n8n: starts and stops it, keeps its log, and puts keys into its credentials. */
export class Operator {
	/** n8n's ids of the credentials, by name. */
	readonly credentials: Record<string, string> = {};
	readonly absences: Absence[] = [];
	private readonly keys: Record<string, string> = {};
	private kept = '';

	constructor(
		private readonly n8n: N8nServer,
		private readonly control: Control,
		private readonly baseUrl: string,
	) {}

	/** Everything that n8n has logged, across its restarts. */
	get logs(): string {
		return this.kept + this.n8n.logs;
	}

	async makeCredential(name: string): Promise<void> {
		const { key } = await this.control.createKey({ mode: 'LIVE' });
		this.keys[name] = key;
		const data = { baseUrl: this.baseUrl, apiKey: key };
		const { id } = await this.n8n.api.createCredential({ name, type: 'eSignApi', data });
		this.credentials[name] = id;
	}

	/** Somebody revokes a key in the web application. */
	async revokeKey(name: string): Promise<void> {
		await this.control.revokeKey(this.keys[name] ?? '');
	}

	/** Puts a new key into the credential. */
	async renewKey(name: string): Promise<void> {
		const { key } = await this.control.createKey({ mode: 'LIVE' });
		this.keys[name] = key;
		const data = { baseUrl: this.baseUrl, apiKey: key };
		await this.n8n.api.request('PATCH', `/credentials/${this.credentials[name]}`, {
			name,
			type: 'eSignApi',
			data,
		});
	}

	/**
	 * Takes n8n away (SIGTERM or SIGKILL), lets `meanwhile` happen, and starts it over the same data.
	 */
	async restart(
		how: Absence['how'],
		meanwhile: () => Promise<void> = async () => undefined,
	): Promise<void> {
		const absence = { how, from: Date.now(), until: Infinity };
		this.absences.push(absence);
		await this.n8n[how]();
		this.kept += `${this.n8n.logs}\n`;
		await meanwhile();
		await this.n8n.start();
		absence.until = Date.now();
	}
}
