import type {
	ApiKey,
	EmbedSession,
	SignDocument,
	StoredFile,
	Template,
	TemplateLink,
	WebhookEndpoint,
	Workspace,
} from './entities';
import { newId } from './ids';
import { Ledger } from './ledger';

/** Where a recipient is found: by its id, or by the token of its signing address. */
export interface RecipientPlace {
	documentId: string;
	recipientId: string;
}

/** Everything the sandbox knows, in memory; `clear` forgets all of it. */
export class State {
	workspace!: Workspace;
	keys!: Map<string, ApiKey>;
	files!: Map<string, StoredFile>;
	documents!: Ledger<SignDocument>;
	recipients!: Map<string, RecipientPlace>;
	signingTokens!: Map<string, RecipientPlace>;
	templates!: Ledger<Template>;
	links!: Ledger<TemplateLink>;
	/** Ids of links by slug; a rotated slug is forgotten. */
	slugs!: Map<string, string>;
	embeds!: Map<string, EmbedSession>;
	endpoints!: Ledger<WebhookEndpoint>;
	/** API sends that count, by billing period (`2026-11`). */
	apiSends!: Map<string, number>;

	constructor() {
		this.clear();
	}

	clear(): void {
		this.workspace = {
			id: newId('org'),
			name: 'Sandbox Workspace',
			plan: 'BUSINESS',
			trialing: false,
			suspended: false,
			embedOrigins: [],
			entitlements: [],
			ipAllowlist: [],
		};
		this.keys = new Map();
		this.files = new Map();
		this.documents = new Ledger();
		this.recipients = new Map();
		this.signingTokens = new Map();
		this.templates = new Ledger();
		this.links = new Ledger();
		this.slugs = new Map();
		this.embeds = new Map();
		this.endpoints = new Ledger();
		this.apiSends = new Map();
	}
}
